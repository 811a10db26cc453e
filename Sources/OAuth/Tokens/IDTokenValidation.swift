import OAuthCore

/// Validates an ID token: the signature with the issuer's keys, then the claims.
///
/// Without a `jwksUri` in the provider's description, the signature is not checked: the token came directly from the token endpoint.
/// TLS authenticates that server, which OpenID Connect Core (3.1.3.7, 6) accepts instead of the signature.
/// The claims are still checked, and an unsigned token is rejected.
/// The same applies if the issuer is known without a `jwksUri`, because the issuer's metadata is not discovered here.
struct IDTokenValidation: Sendable {
  let provider: Provider
  let client: Client
  package let keys: IssuerKeys

  /// Fetches the keys before a code or refresh token is used. Otherwise a user could sign in for tokens that cannot be validated.
  func prepare() async throws {
    if let place { _ = try await keys.keys(at: place) }
  }

  private var place: IssuerKeys.Place? {
    provider.jwksUri.map { IssuerKeys.Place($0, limit: provider.scopeLimit(of: $0)) }
  }

  /// Returns the validated claims. Throws `responseUntrusted` with the fault, or the reason why the issuer's keys are unavailable.
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
