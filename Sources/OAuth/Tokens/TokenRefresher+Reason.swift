import OAuthCore
import Store

extension TokenRefresher {
  /// The conditions under which a refresh is needed.
  struct RefreshReason: Sendable {
    /// The generation that the caller saw. A newer valid grant on disk is used without a refresh.
    var seen: Int?
    /// Seconds that the token must be valid for; nil for the minimum of every use (`Grant.isValid`).
    var validity: Int?
    /// Whether to refresh a token that is still valid.
    var force = false
    /// Whether a service has rejected the token.
    var isTokenRejected = false
    /// Whether the user asks for it in spite of a recorded rejection or a pause that the server asked for.
    var insists = false
    /// Whether the ID token must be valid as well, if a refresh can replace it.
    var withIDToken = false
    /// Whether to renew a valid token that is due. If the server rejects that, the token stays in use until it expires.
    var isAhead = false
    /// Whether the plan of a request decides about the client, and not the configuration alone.
    var isPlanned = false
    /// The grant's client with a changed secret; nil if the stored one is current.
    var client: Client?
    /// Whether that secret is the caller's. The server's rejection then says nothing about the login.
    var isClientOfRequest = false

    func isMet(by grant: Grant, at now: Instant) -> Bool {
      // A newer grant has just been refreshed for another caller. Its token is valid for as long as this provider allows.
      let isNewer = isNewer(grant)
      return grant.isValid(for: isNewer ? nil : validity, at: now) && !wantsMore(of: grant, at: now) && (isNewer || !force)
    }

    /// Whether the grant has changed since the caller saw it.
    func isNewer(_ grant: Grant) -> Bool { seen.map { grant.generation > $0 } ?? false }

    /// Whether a valid access token is not enough.
    func wantsMore(of grant: Grant, at now: Instant) -> Bool {
      (withIDToken && grant.wantsIDToken(at: now.seconds)) || (isAhead && grant.isDue(at: now))
    }

    /// Whether the access token stays in use if the server refuses the refresh.
    func spares(_ grant: Grant, at now: Instant) -> Bool { !insists && !isTokenRejected && grant.isValid(at: now) }
  }
}
