import OAuthCore

extension Grant {
  /// Seconds for which a new ID token must be valid before its expiry triggers refreshes. A shorter-lived one would have every call refresh.
  private static let shortestUsefulLife = 2 * Grant.longestMargin

  /// Stores an ID token that has passed its checks, and its claims.
  mutating func take(_ token: Secret, _ claims: IDToken) {
    idToken = token
    subject = claims.subject
    email = claims.email ?? email
    idTokenExpiresAt = claims.expiresAt - issuedAt >= Self.shortestUsefulLife ? claims.expiresAt : nil
  }

  /// Whether the ID token expires within a minute and a refresh may bring another.
  ///
  /// Some providers return no ID token on refresh. The old one's expiry is then ignored, or every call would refresh.
  package func wantsIDToken(at now: Int) -> Bool {
    guard let idTokenExpiresAt, canRefresh(at: now) else { return false }
    return idTokenExpiresAt - now <= Grant.longestMargin
  }
}
