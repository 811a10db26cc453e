/// The state that all endpoints share.
struct Site: Sendable {
  /// Scheme, host and port, without a path.
  let origin: String
  let grants: Grants
  let signer: IDTokenSigner
}
