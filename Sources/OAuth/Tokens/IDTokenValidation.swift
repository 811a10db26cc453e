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

extension IDTokenValidation {
  /// The ID token of a refresh response, and the claims that it has to match (OpenID Connect Core, 12.2).
  struct Refreshed: Sendable {
    let old: Grant
    let token: Secret?
    let dependencies: Dependencies

    /// The failure for a refresh response whose ID token names another user. Its access token would call the API as that user.
    ///
    /// The signature does not matter here, because the token endpoint itself sent the ID token.
    var foreignUser: OAuthFailure? {
      guard let first, let token, let claims = try? Self.claims(token), claims.subject != first.subject else { return nil }
      return .untrusted("the refreshed tokens belong to another user than the account's")
    }

    /// Returns the refreshed grant with the new ID token; nil if the response has none. Throws if the ID token is invalid.
    func apply(to fresh: Grant) async throws -> Grant? {
      guard let token else { return nil }
      let validation = IDTokenValidation(provider: try old.resolvedProvider, client: old.client, keys: dependencies.keys)
      let claims = try await validation.validated(token, nonce: nil, accessToken: fresh.accessToken, now: fresh.issuedAt)
      if let first { try IDTokenCheck.pass(claims, refreshing: first) }
      var identified = fresh
      identified.take(token, claims)
      identified.generation += 1
      return identified
    }

    /// The claims of the stored ID token, if they name the account's user.
    /// An earlier version stored ID tokens unchecked, and an imported grant may name its user in another way.
    private var first: IDToken? {
      guard let kept = old.idToken, let first = try? Self.claims(kept), first.subject == old.subject else { return nil }
      return first
    }

    private static func claims(_ token: Secret) throws(OAuthFailure) -> IDToken {
      try IDToken(claims: JSONWebSignature(token).payload)
    }
  }
}
