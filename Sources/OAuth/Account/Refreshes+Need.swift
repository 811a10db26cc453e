extension Refreshes {
  /// When a refresh is needed.
  struct Need: Sendable {
    /// The generation that the caller saw; a newer one on disk that lives is taken as it is.
    var seen: Int?
    /// Seconds that the token has to be valid for; nil for what every use needs (`Grant.lives`).
    var validity: Int?
    /// Whether to refresh a token that still lives.
    var force = false
    /// Whether the user asks for it in spite of a rejection that is remembered and of a pause that the server asked for.
    var insists = false
    /// Whether the ID token has to live as well, where a refresh may replace it.
    var withIDToken = false
    /// Whether a token that lives is renewed ahead where it is due; one that is refused then goes on being used as long as it lives.
    var isAhead = false
    /// The grant's client with a secret that is another one now; nil where the kept one is good.
    var client: Client?

    func isMet(by grant: Grant, at now: Instant) -> Bool {
      // What has just been refreshed for another caller lives as long as this provider's tokens do.
      let isNewer = isNewer(grant)
      return grant.lives(for: isNewer ? nil : validity, at: now) && !wantsMore(of: grant, at: now) && (isNewer || !force)
    }

    /// Whether the grant has changed since the caller saw it.
    func isNewer(_ grant: Grant) -> Bool { seen.map { grant.generation > $0 } ?? false }

    /// Whether a token that lives is not enough.
    func wantsMore(of grant: Grant, at now: Instant) -> Bool {
      (withIDToken && grant.wantsIDToken(at: now.seconds)) || (isAhead && grant.isDue(at: now))
    }

    /// Why this grant does not do.
    func reason(with grant: Grant, at now: Instant) -> Remark.Reason {
      if !grant.lives(for: validity, at: now) { return .expiring }
      if force { return .forced }
      return isAhead && grant.isDue(at: now) ? .ahead : .idToken
    }
  }
}
