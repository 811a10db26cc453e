import OAuthCore

extension TokenRefresher {
  /// The conditions under which a refresh is needed.
  struct RefreshReason: Sendable {
    /// The generation that the caller saw. A newer valid grant on disk is used without a refresh.
    var seen: Int?
    /// Seconds that the token has to be valid for; nil for the minimum of every use (`Grant.lives`).
    var validity: Int?
    /// Whether to refresh a token that is still valid.
    var force = false
    /// Whether the user asks for it in spite of a recorded rejection or a pause that the server asked for.
    var insists = false
    /// Whether the ID token has to be valid as well, if a refresh can replace it.
    var withIDToken = false
    /// Whether to renew a valid token that is due. If the server rejects that, the token stays in use until it expires.
    var isAhead = false
    /// The grant's client with a changed secret; nil if the stored one is current.
    var client: Client?

    func isMet(by grant: Grant, at now: Instant) -> Bool {
      // A newer grant has just been refreshed for another caller. Its token is valid for as long as this provider allows.
      let isNewer = isNewer(grant)
      return grant.lives(for: isNewer ? nil : validity, at: now) && !wantsMore(of: grant, at: now) && (isNewer || !force)
    }

    /// Whether the grant has changed since the caller saw it.
    func isNewer(_ grant: Grant) -> Bool { seen.map { grant.generation > $0 } ?? false }

    /// Whether a valid access token is not enough.
    func wantsMore(of grant: Grant, at now: Instant) -> Bool {
      (withIDToken && grant.wantsIDToken(at: now.seconds)) || (isAhead && grant.isDue(at: now))
    }

    /// Returns why this grant needs a refresh.
    func reason(with grant: Grant, at now: Instant) -> LogMessage.Reason {
      if !grant.lives(for: validity, at: now) { return .expiring }
      if force { return .forced }
      return isAhead && grant.isDue(at: now) ? .ahead : .idToken
    }
  }
}
