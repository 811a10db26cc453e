extension Accounts {
  /// Has the provider give the client a token of its own (RFC 6749, 4.4.2). What was asked for and not granted is told, and does not by itself ask again.
  func authorizeClient(_ asked: AuthorizeSetup) async throws -> Authorization {
    let request = asked.request
    let mayBeStored = request.interaction != .always
    let outcome = try await within(request.timeout) { [refreshes] in
      try await refreshes.obtain(asked) { mayBeStored && asked.isMet(by: $0, at: $1) }
    }
    guard let outcome else {
      throw OAuthFailure(.timedOut, "the token was not there after \(request.timeout) s", isRetryable: true)
    }
    let authorization = Authorization(outcome.grant, via: outcome.refreshed ? .signedIn : .stored, asked: asked.scopes, now: now)
    tell(asked.account, request.cause, .authorized(authorization))
    return authorization
  }
}

extension Refreshes {
  /// The client's own grant with a new token, unless somebody else has just kept one that is enough.
  ///
  /// The account's lock is held meanwhile, so that of many who ask at once one asks the provider.
  func obtain(_ asked: AuthorizeSetup, unless isEnough: @Sendable (Grant, _ now: Instant) -> Bool) async throws -> Outcome {
    let lock = try await surroundings.store.lock(asked.account)
    defer { withExtendedLifetime(lock) {} }
    let now = surroundings.instant
    // A damaged grant has been set aside by now and must not keep a new one out.
    let kept = try? current(asked.account)
    if let kept, isEnough(kept, now) { return Outcome(grant: kept, refreshed: false) }
    var grant = try await Renewal(surroundings: surroundings).renewed(asked.clientGrant(at: now.seconds)).grant
    try Task.checkCancellation()
    // A base that leads where nothing may go is refused before anything is kept.
    _ = try asked.provider.filled(with: grant.attributes, client: asked.client, isComplete: true)
    grant.declinedScopes = grant.missing(of: asked.scopes)
    grant.generation = (kept?.generation ?? 0) + 1
    grant.login = kept?.login ?? newLogin()
    sweeps.removeValue(forKey: .init(asked.account))?.cancel()
    try await save(grant)
    return Outcome(grant: grant, refreshed: true)
  }
}
