import OAuthCore

/// The ID token of a refresh response, and the claims that it has to match (OpenID Connect Core, 12.2).
struct RefreshedIDToken: Sendable {
  private let old: Grant
  private let token: Secret?
  private let dependencies: Dependencies

  init(_ old: Grant, _ token: Secret?, _ dependencies: Dependencies) {
    self.old = old
    self.token = token
    self.dependencies = dependencies
  }

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

extension Grant {
  /// Takes over an older grant's refresh token if this grant has none. Some providers issue one only with the first consent; `consentRetry` in the
  /// description marks them. Both ID tokens must name the same user, or a refresh would return another user's tokens.
  mutating func takeOverRefreshToken(of old: Grant, at now: Int) {
    guard refreshToken == nil, let subject, subject == old.subject, client.id == old.client.id, old.canRefresh(at: now) else { return }
    guard let provider = try? resolvedProvider, !provider.request.consentRetry.pairs.isEmpty, old.isOf(provider) else { return }
    refreshToken = old.refreshToken
    refreshTokenExpiresAt = old.refreshTokenExpiresAt
  }
}
