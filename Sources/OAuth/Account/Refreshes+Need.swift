extension Refreshes {
  /// When a refresh is needed.
  struct Need: Sendable {
    /// The generation that the caller saw; a newer one on disk that lives is taken as it is.
    var seen: Int?
    /// Seconds that the token has to live.
    var validity = Accounts.validity
    /// Whether to refresh a token that still lives.
    var force = false
    /// Whether the ID token has to live as well, where a refresh may replace it.
    var withIDToken = false
    /// Whether a token that lives is renewed ahead where it is due; one that is refused then goes on being used as long as it lives.
    var isAhead = false
    /// The grant's client with a secret that is another one now; nil where the kept one is good.
    var client: Client?

    func isMet(by grant: Grant, at now: Int) -> Bool {
      grant.lives(for: validity, at: now) && !wantsMore(of: grant, at: now)
    }

    /// Whether a token that lives is not enough.
    func wantsMore(of grant: Grant, at now: Int) -> Bool {
      (withIDToken && grant.wantsIDToken(at: now)) || (isAhead && grant.isDue(at: now))
    }

    /// Why this grant does not do.
    func reason(with grant: Grant, at now: Int) -> Remark.Reason {
      if !grant.lives(for: validity, at: now) { return .expiring }
      if force { return .forced }
      return isAhead && grant.isDue(at: now) ? .ahead : .idToken
    }
  }
}
