/// The ID token that a refresh brought, and what it has to agree with (OpenID Connect Core, 12.2).
struct RefreshedIdentity: Sendable {
  private let old: Grant
  private let token: Secret?
  private let surroundings: Surroundings

  init(_ old: Grant, _ token: Secret?, _ surroundings: Surroundings) {
    self.old = old
    self.token = token
    self.surroundings = surroundings
  }

  /// Why the whole answer is refused, where its ID token is about another user: the access token beside it would then call the API as somebody else.
  ///
  /// The signature does not matter for that, since it is the token endpoint itself that says so.
  var foreignUser: OAuthFailure? {
    guard let first, let token, let claims = try? Self.claims(token), claims.subject != first.subject else { return nil }
    return .untrusted("the refreshed tokens belong to another user than the account's")
  }

  /// The refreshed grant with the new ID token in it; nil where none came. Throws why it is not believed.
  func apply(to fresh: Grant) async throws -> Grant? {
    guard let token else { return nil }
    let validation = IDTokenValidation(provider: try old.resolvedProvider, client: old.client, keys: surroundings.keys)
    let claims = try await validation.validated(token, nonce: nil, accessToken: fresh.accessToken, now: fresh.issuedAt)
    if let first { try IDTokenCheck.pass(claims, refreshing: first) }
    var identified = fresh
    identified.take(token, claims)
    identified.generation += 1
    return identified
  }

  /// What the kept ID token says, where it is what the account's user is known by: one of an earlier version was kept unchecked, and an imported grant may
  /// name its user in another way.
  private var first: IDToken? {
    guard let kept = old.idToken, let first = try? Self.claims(kept), first.subject == old.subject else { return nil }
    return first
  }

  private static func claims(_ token: Secret) throws(OAuthFailure) -> IDToken {
    try IDToken(claims: JSONWebSignature(token).payload)
  }
}

extension Grant {
  /// Keeps an older grant's refresh token where this one came without, as from a provider that gives one with the first consent only; `consentRetry`
  /// in its description is the mark of it. Only the same user's, by what two ID tokens say, for a refresh would else bring somebody else's tokens.
  mutating func takeOverRefreshToken(of old: Grant, at now: Int) {
    guard refreshToken == nil, let subject, subject == old.subject, client.id == old.client.id, old.canRefresh(at: now) else { return }
    guard let provider = try? resolvedProvider, !provider.request.consentRetry.pairs.isEmpty, old.isOf(provider) else { return }
    refreshToken = old.refreshToken
    refreshTokenExpiresAt = old.refreshTokenExpiresAt
  }
}
