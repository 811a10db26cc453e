/// The state that all endpoints share.
struct Site: Sendable {
  /// The registered client, which is public (RFC 6749 §2.1).
  static let client = "demo"

  /// Scheme, host and port, without a path.
  let origin: String
  let grants = Grants()
  let signer = IDTokenSigner()
}
