import Jansson
import OAuthCore
import Platform
import Store

/// Refreshing grants.
extension TokenRefresher {
  /// Seconds between two renewals ahead of expiry. A provider that does not renew a token is not asked at every call, and days are left to try.
  private static let pause = 300

  func refresh(_ account: String, _ need: RefreshReason, requestID: JSON?) async throws -> Outcome {
    let key = AccountKey(account)
    while let running = refreshing.running(key), let other = reasons[key] {
      let outcome: Outcome
      do {
        outcome = try await result(of: running, account)
      } catch let failure as OAuthFailure where (other.isAhead && !need.isAhead) || (need.insists && !other.insists) {
        // Its server has had its time, and it still runs.
        if refreshing.running(key) === running { throw failure }
        // The other refresh ran ahead of expiry, or did not override a rejection or pause. This one still has to run.
        continue
      }
      // A refresh for a caller with an older token may have found nothing to do.
      let isEnough = !need.force && !need.wantsMore(of: outcome.grant, at: dependencies.clock.instant)
      if isEnough || outcome.grant.generation > need.seen ?? 0 { return outcome }
    }
    // A client chooses the names. Those of ended refreshes, whose last callers have left, would stay for ever.
    reasons = reasons.filter { refreshing.running($0.key) != nil }
    // Without the client, whose secret would stay in memory.
    reasons[key] = need
    reasons[key]?.client = nil
    let refresh = refreshing.join(key) { [self] in
      try await dependencies.recordingAfterwards { try await self.run(account, need, requestID) }
    }
    return try await result(of: refresh, account)
  }

  /// Returns the outcome of a refresh. Throws `timedOut` once the server has had its time; the refresh goes on without this caller.
  private func result(of refresh: Promise<Outcome>, _ account: String) async throws -> Outcome {
    let clock = dependencies.clock
    let begin = clock.uptime()
    while true {
      // The wait for another process's lock counts only towards the caller's own limit.
      let start = max(begin, sending[.init(account)] ?? clock.uptime())
      let left = (start + RefreshTimes.caller * 1000 - clock.uptime() + 500) / 1000
      guard left > 0 else { break }
      if let outcome = try await clock.withTimeout(left, { try await refresh.value() }) { return outcome }
    }
    let provider = try? current(account)?.resolvedProvider
    let endpoint = provider?.oauth1.accessTokenEndpoint ?? provider?.tokenEndpoint
    throw OAuthFailure(.timedOut(host: endpoint.flatMap { try? URLParts($0).host } ?? "the authorization server")).of(account)
  }

  /// Whether a token may be renewed ahead of expiry now. A caller that gets true has to renew it.
  func mayRenewEarly(_ account: String) -> Bool {
    let now = dependencies.clock.now
    // A clock that was set back must not prolong the wait.
    if let last = ahead[.init(account)], (last..<last + Self.pause).contains(now) { return false }
    ahead = ahead.filter { ($0.value..<$0.value + Self.pause).contains(now) }
    ahead[.init(account)] = now
    return true
  }

  private func run(_ account: String, _ need: RefreshReason, _ requestID: JSON?) async throws -> Outcome {
    try await locked(account, forRefresh: true) { try await runLocked(account, need, requestID) }
  }

  private func runLocked(_ account: String, _ need: RefreshReason, _ requestID: JSON?) async throws -> Outcome {
    guard !isClosed else { throw CancellationError() }
    sending[.init(account)] = dependencies.clock.uptime()
    defer { sending[.init(account)] = nil }
    guard var grant = try current(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    let now = dependencies.clock.instant
    if need.isMet(by: grant, at: now) {
      if unsaved[.init(account)] != nil { try await save(grant) }
      return Outcome(grant: grant, refreshed: false)
    }
    if need.insists { grant.isRejected = false }
    guard grant.canRefresh(at: now.seconds) else { throw TokenEndpoint.cannotRefresh(grant, at: now) }
    var mayEnd = true
    if let client = need.client, client.id == grant.client.id {
      if let secret = client.configuredSecret { grant.client.configuredSecret = secret } else { grant.client = client }
      mayEnd = !need.isClientOfRequest
    }
    let reservation = try await reservation(for: grant)
    sending[.init(account)] = dependencies.clock.uptime()
    let fresh: Grant
    let idToken: Secret?
    do {
      (fresh, idToken) = try await TokenEndpoint.renewed(grant, dependencies, need.insists ? .ignored : .fails)
    } catch let error as OAuthFailure {
      try await keepRotated(error.rotatedRefreshToken, of: grant, in: reservation)
      guard error.ends(grant), !need.isAhead else {
        if error.isRetryable { dependencies.log(.refreshPutOff(account: account, kind: error.kind)) }
        var failure = error.of(account)
        if grant.isUntried, error.kind == .authorizationServerError, !error.isRetryable {
          failure.problem = "\(OAuthFailure.firstRefresh): \(error.problem)"
        }
        throw failure
      }
      let spares = need.spares(grant, at: now)
      let isCurrent = try current(account)?.isSame(as: grant) == true
      // The next sign-in has another client than one that registered itself and is unknown now.
      if error.wantsUser || error.refusal == .client { grant.isUntried = false }
      grant.end(error.message, demanding: error["claims"]?.string, at: now.seconds)
      // The rejected token may belong to a grant that a sign-in has replaced or a sign-out has removed meanwhile.
      if mayEnd, !spares, isCurrent {
        grant.isClientForgotten = error.refusal == .client
        grant.generation += 1
        try await save(grant)
      }
      var failure = grant.ended()
      failure.details += error.details.filter { $0.name != "claims" }
      throw failure
    }
    // A sign-out or a newer sign-in during the refresh wins over this response.
    let latest = await latest(after: grant)
    guard latest?.generation == grant.generation else {
      guard let newer = latest else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
      return Outcome(grant: newer, refreshed: false)
    }
    let identity = IDTokenValidation.Refreshed(old: grant, token: idToken, dependencies: dependencies)
    if let failure = identity.foreignUser {
      grant.end(failure.message, at: now.seconds)
      grant.generation += 1
      try await save(grant)
      throw failure.of(account)
    }
    try await save(fresh, in: reservation)
    dependencies.emit(
      AccountEvent(
        account: account, requestID: requestID,
        kind: .refreshed(
          expiresAt: fresh.expiresAt,
          refreshTokenChanged: fresh.refreshToken != grant.refreshToken || fresh.sessionHandle != grant.sessionHandle)))
    return Outcome(grant: try await identified(fresh, identity, requestID), refreshed: true)
  }

  /// Returns the refreshed grant, which is already on disk, with its new ID token. An invalid ID token is reported and left out.
  /// The other tokens of the response belong to the account, and a replaced refresh token must not be lost.
  private func identified(_ fresh: Grant, _ identity: IDTokenValidation.Refreshed, _ requestID: JSON?) async throws -> Grant {
    do {
      guard let identified = try await identity.apply(to: fresh) else { return fresh }
      try await save(identified)
      return identified
    } catch let failure as OAuthFailure where failure.kind != .storageFailure {
      dependencies.emit(AccountEvent(account: fresh.account, requestID: requestID, kind: .failed(failure.of(fresh.account))))
      return fresh
    }
  }

  /// Stores what a service has said about a grant's token, unless the account has a newer grant.
  func note(_ grant: Grant, _ change: @Sendable (inout Grant) -> Void) async throws {
    try await locked(grant.account) {
      guard let kept = try current(grant.account), kept.isSame(as: grant) else { return }
      var noted = kept
      change(&noted)
      guard noted != kept else { return }
      noted.generation += 1
      try await save(noted)
    }
  }

  /// Stores a rotated refresh token. A server that sends a new refresh token has ended the old one, whatever else is wrong with its response.
  private func keepRotated(_ token: Secret?, of grant: Grant, in reservation: GrantReservation?) async throws {
    guard let token, token != grant.refreshToken, await latest(after: grant)?.generation == grant.generation else { return }
    var kept = grant
    (kept.refreshToken, kept.refreshTokenExpiresAt) = (token, nil)
    kept.generation += 1
    try await save(kept, in: reservation)
  }

  /// Reserves disk space for the result of a refresh of `grant`. Without the space no request is sent, and the login stays as it is.
  ///
  /// Returns nil for a grant that could not be written before: another refresh can lose nothing more.
  private func reservation(for grant: Grant) async throws -> GrantReservation? {
    do throws(OAuthFailure) {
      return try await dependencies.store.reserve(for: grant)
    } catch {
      guard unsaved[.init(grant.account)] == nil else { return nil }
      throw error.of(grant.account)
    }
  }

  /// Returns the account's grant after an exchange that began with `grant`.
  /// An unreadable file counts as unchanged, because the new tokens must not be lost with it.
  private func latest(after grant: Grant) async -> Grant? {
    await dependencies.store.prepare(grant.account)
    do {
      return try current(grant.account)
    } catch {
      return grant
    }
  }
}

extension TokenRefresher {
  /// Returns the client's own grant with a new token, or the stored grant if `isEnough` accepts it.
  ///
  /// Holds the account's lock meanwhile. If several processes ask at once, only one of them asks the provider.
  func obtain(
    _ asked: AuthorizationPlan, unless isEnough: @Sendable (Grant, _ now: Instant) -> Bool
  ) async throws -> Outcome {
    try await locked(asked.account) {
      let now = dependencies.clock.instant
      // A damaged grant has been set aside by now. It must not prevent a new grant.
      let stored = try? current(asked.account)
      if let stored, isEnough(stored, now) { return Outcome(grant: stored, refreshed: false) }
      var grant = try await TokenEndpoint.renewed(asked.clientGrant(at: now.seconds), dependencies).grant
      try Task.checkCancellation()
      // Before anything is stored, rejects a base URL on a host that is not allowed.
      _ = try asked.provider.filled(with: grant.attributes, client: asked.client, isComplete: true)
      grant.declinedScopes = grant.missing(of: asked.scopes)
      grant.generation = (stored?.generation ?? 0) + 1
      grant.login = stored?.login ?? newLogin()
      sweeps.removeValue(forKey: .init(asked.account))?.cancel()
      try await save(grant)
      return Outcome(grant: grant, refreshed: true)
    }
  }
}
