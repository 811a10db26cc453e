/// Turns an ID token as it came into one that is believed: signature by the issuer's keys, then what it says.
///
/// Where the provider's description has no `jwksUri` the signature is not looked at: the token came straight from the token endpoint, and TLS has shown
/// who said it, which OpenID Connect Core (3.1.3.7, 6) lets stand in its place. The claims are checked all the same, and a token that is
/// not signed at all is refused. So it is where an issuer is known and no `jwksUri`, for its metadata is not discovered here.
struct IDTokenValidation: Sendable {
  let provider: Provider
  let client: Client
  let keys: IssuerKeys

  /// Gets the keys before a code is spent or a refresh token used, so that nobody signs in for tokens which then cannot be believed.
  func prepare() async throws {
    if let place { _ = try await keys.keys(at: place) }
  }

  private var place: IssuerKeys.Place? {
    provider.jwksUri.map { IssuerKeys.Place($0, limit: provider.scopeLimit(of: $0)) }
  }

  /// The claims, believed; throws `responseUntrusted` with what is wrong, or why the issuer's keys could not be had.
  func validated(_ token: Secret, nonce: Secret?, accessToken: Secret?, now: Int) async throws -> IDToken {
    let signature = try JSONWebSignature(token)
    let claims = try IDToken(claims: signature.payload)
    if let place { try await keys.verify(signature, of: claims, keysAt: place) }
    let check = IDTokenCheck(
      issuer: provider.issuer.map(IssuerTemplate.init), clientId: client.id, nonce: nonce, accessToken: accessToken, now: now)
    try check.pass(claims, of: signature)
    return claims
  }
}
