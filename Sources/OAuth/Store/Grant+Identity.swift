extension Grant {
  /// Seconds that an ID token has to live when it comes, for its end to be a reason to refresh: one that is made for the moment would have every
  /// call refresh.
  private static let shortestUsefulLife = 2 * Grant.longestMargin

  /// Takes over what an ID token says that has been believed.
  mutating func take(_ token: Secret, _ claims: IDToken) {
    idToken = token
    subject = claims.subject
    email = claims.email ?? email
    idTokenExpiresAt = claims.expiresAt - issuedAt >= Self.shortestUsefulLife ? claims.expiresAt : nil
  }

  /// Whether the ID token ends within a minute and a refresh may bring another.
  ///
  /// Not every provider gives one when it refreshes; after a refresh without one the old one's end counts no more, or it would be asked for ever.
  package func wantsIDToken(at now: Int) -> Bool {
    guard let idTokenExpiresAt, canRefresh(at: now) else { return false }
    return idTokenExpiresAt - now <= Grant.longestMargin
  }
}
