import OAuthCore
import Platform

extension Accounts {
  /// Requests a token for the client itself (RFC 6749, 4.4.2). Scopes that were not granted are reported and cause no second request.
  func authorizeClient(_ asked: AuthorizationPlan) async throws -> Authorization {
    let request = asked.request
    let mayBeStored = request.interaction != .always
    let outcome = try await dependencies.clock.withTimeout(request.timeout) { [refreshes] in
      try await refreshes.obtain(asked) { mayBeStored && asked.isMet(by: $0, at: $1) }
    }
    guard let outcome else {
      throw OAuthFailure(.timedOut, "the token was not there after \(request.timeout) s", isRetryable: true)
    }
    let authorization = Authorization(outcome.grant, via: outcome.refreshed ? .signedIn : .stored, asked: asked.scopes, now: now)
    emit(asked.account, request.requestID, .authorized(authorization))
    return authorization
  }
}

extension TokenRefresher {
  /// Returns the client's own grant with a new token, or the stored grant if `isEnough` accepts it.
  ///
  /// Holds the account's lock meanwhile. If several processes ask at once, only one of them asks the provider.
  func obtain(_ asked: AuthorizationPlan, unless isEnough: @Sendable (Grant, _ now: Instant) -> Bool) async throws -> Outcome {
    let lock = try await dependencies.store.lock(asked.account)
    defer { withExtendedLifetime(lock) {} }
    let now = dependencies.clock.instant
    // A damaged grant has been set aside by now. It must not prevent a new grant.
    let kept = try? current(asked.account)
    if let kept, isEnough(kept, now) { return Outcome(grant: kept, refreshed: false) }
    var grant = try await TokenExchange(dependencies: dependencies).renewed(asked.clientGrant(at: now.seconds)).grant
    try Task.checkCancellation()
    // Before anything is stored, rejects a base URL on a host that is not allowed.
    _ = try asked.provider.filled(with: grant.attributes, client: asked.client, isComplete: true)
    grant.declinedScopes = grant.missing(of: asked.scopes)
    grant.generation = (kept?.generation ?? 0) + 1
    grant.login = kept?.login ?? newLogin()
    sweeps.removeValue(forKey: .init(asked.account))?.cancel()
    try await save(grant)
    return Outcome(grant: grant, refreshed: true)
  }
}
