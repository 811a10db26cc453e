import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// Refreshing the grant.
///
/// A refresh runs in a separate task that no caller's cancellation reaches. Once the server has replaced a refresh
/// token, the new one must reach the disk. The account's lock is held across read → refresh → save.
/// Two processes therefore never send the same refresh token. If the save fails, the lock is held until a later one succeeds.
extension Account {
  func refresh(_ need: RefreshReason, requestID: JSON?) async throws -> Outcome {
    while true {
      let (refresh, other) = share(need) { [self] in try await change(forRefresh: true) { try await refreshed(&$0, need, requestID) } }
      guard let other else { return try await result(of: refresh) }
      let outcome: Outcome
      do {
        outcome = try await result(of: refresh)
      } catch let failure as OAuthFailure
        where other.terms != nil || (other.isAhead && !need.isAhead) || (need.ignoresRejection && !other.ignoresRejection)
      {
        // Its server has had its time, and it still runs.
        if life.refresh.running?.promise === refresh { throw failure }
        // The other request is for another token, ran ahead of expiry, or did not override a rejection or pause. This one still has to run.
        continue
      } catch is Replaced where other.terms != nil {
        continue
      }
      // A request for another token leaves the login's own as it is.
      if other.terms != nil { continue }
      // A refresh for a caller with an older token may have found nothing to do.
      let isEnough = !need.force && !need.needsNewerToken(of: outcome.grant, at: dependencies.clock.instant)
      if isEnough || need.isNewer(outcome.grant) { return outcome }
    }
  }

  /// Joins the running refresh, and returns what it runs for; starts `work` in a task of its own if none runs.
  func share(
    _ need: RefreshReason, _ work: @escaping @Sendable () async throws -> Outcome
  ) -> (refresh: Promise<Outcome>, other: RefreshReason?) {
    let own = Promise<Outcome>()
    if let running = lives.change(key, { $0.join(need, own) }) { return (running.promise, running.reason) }
    Task {
      let result: Result<Outcome, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      // A caller that has the result and asks again starts another refresh.
      lives.change(key) { $0.refresh = .none }
      own.settle(result)
    }
    return (own, nil)
  }

  /// Returns the outcome of a refresh. Throws `timedOut` once the server has had its time; the refresh goes on without this caller.
  func result(of refresh: Promise<Outcome>) async throws -> Outcome {
    let clock = dependencies.clock
    let begin = clock.uptime()
    while true {
      // The wait for another process's lock counts only towards the caller's own limit.
      var start = clock.uptime()
      if case .sent(_, _, let since) = life.refresh { start = since }
      let left = (max(begin, start) + RefreshTimes.caller * 1000 - clock.uptime() + 500) / 1000
      guard left > 0 else { break }
      if let outcome = try await clock.withTimeout(left, { try await refresh.value() }) { return outcome }
    }
    let provider = try? current()?.resolvedProvider
    let endpoint = provider?.oauth1.accessTokenEndpoint ?? provider?.tokenEndpoint
    throw OAuthFailure(.timedOut(host: endpoint.flatMap { try? URLParts($0).host } ?? "the authorization server")).of(name)
  }

  private func refreshed(_ hold: inout Hold, _ need: RefreshReason, _ requestID: JSON?) async throws -> Outcome {
    try send()
    guard var grant = try hold.grant else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    let now = dependencies.clock.instant
    if need.isMet(by: grant, at: now) {
      if life.unsaved != nil { try await hold.store(grant) }
      return Outcome(grant: grant, refreshed: false)
    }
    if need.ignoresRejection { grant.isRejected = false }
    guard grant.canRefresh(at: now.seconds) else { throw TokenEndpoint.cannotRefresh(grant, at: now) }
    var rejectionEndsLogin = true
    if let client = need.client, client.id == grant.client.id {
      grant.client.take(client)
      rejectionEndsLogin = !need.isClientOfRequest
    }
    let reservation = try await reservation(for: grant)
    try send()
    let fresh: Grant
    let tokens: TokenRequest.Response?
    do {
      (fresh, tokens) = try await TokenEndpoint.renewed(grant, dependencies, need.ignoresRejection ? .ignored : .fails)
    } catch let error as OAuthFailure {
      try await storeRotated(error.rotatedRefreshToken, of: grant, &hold, in: reservation)
      guard error.ends(grant), !need.isAhead else {
        if error.isRetryable {
          dependencies.log(.init(.warning, "the refresh of \(name) failed and is tried again at the next use (\(error.kind.rawValue))"))
        }
        var failure = error.of(name)
        if grant.isUntried, error.blamesClient, !error.isRetryable {
          failure.problem = "\(OAuthFailure.firstRefresh): \(error.problem)"
        }
        throw failure
      }
      let spares = need.spares(grant, at: now)
      let isCurrent = await hold.latest(after: nil)?.isSame(as: grant) == true
      // The next sign-in has another client than one that registered itself and is unknown now.
      if !error.blamesClient || error.refusal == .client { grant.isUntried = false }
      grant.end(error.message, demanding: error["claims"]?.string, at: now.seconds)
      grant.isClientForgotten = error.refusal == .client
      // The rejected token may belong to a grant that a sign-in has replaced or a sign-out has removed meanwhile.
      if rejectionEndsLogin, !spares, isCurrent {
        grant.generation += 1
        try await hold.store(grant)
      }
      var failure = grant.ended()
      failure.details += error.details.filter { $0.name != "claims" }
      throw failure
    }
    // A sign-out or a newer sign-in during the refresh wins over this response.
    let latest = await hold.latest(after: grant)
    guard latest?.generation == grant.generation else {
      guard let newer = latest else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
      return Outcome(grant: newer, refreshed: false)
    }
    let identity = IDTokenValidation.Refreshed(old: grant, tokens: tokens, dependencies: dependencies)
    if let failure = identity.foreignUser {
      grant.end(failure.message, at: now.seconds)
      grant.generation += 1
      try await hold.store(grant)
      throw failure.of(name)
    }
    try await hold.store(fresh, in: reservation, isToken: true)
    let isChanged = fresh.refreshToken != grant.refreshToken || fresh.sessionHandle != grant.sessionHandle
    emit(requestID, .refreshed(expiresAt: fresh.expiresAt, refreshTokenChanged: isChanged))
    return Outcome(grant: try await identified(fresh, identity, &hold, requestID), refreshed: true)
  }

  /// Marks the refresh as sent. Throws at the end of the process, which would lose the response.
  func send() throws {
    guard !lives.isClosed else { throw CancellationError() }
    lives.change(key) { [now = dependencies.clock.uptime()] in $0.send(at: now) }
  }

  /// Returns the refreshed grant, which is already on disk, with its new ID token. An invalid ID token is reported and left out.
  /// The other tokens of the response belong to the account, and a replaced refresh token must not be lost.
  private func identified(
    _ fresh: Grant, _ identity: IDTokenValidation.Refreshed, _ hold: inout Hold, _ requestID: JSON?
  ) async throws -> Grant {
    let identified: Grant?
    do {
      identified = try await identity.apply(to: fresh)
    } catch let failure as OAuthFailure {
      emit(requestID, .failed(failure.of(name)))
      return fresh
    }
    guard let identified else { return fresh }
    guard let latest = await hold.latest(after: fresh) else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    guard latest.generation == fresh.generation else { return latest }
    try await hold.store(identified)
    return identified
  }

  /// Stores a rotated refresh token. A server that sends a new refresh token has ended the old one, whatever else is wrong with its response.
  func storeRotated(_ token: Secret?, of grant: Grant, _ hold: inout Hold, in reservation: GrantReservation?) async throws {
    guard let token, token != grant.refreshToken, await hold.latest(after: grant)?.generation == grant.generation else { return }
    var rotated = grant
    (rotated.refreshToken, rotated.refreshTokenExpiresAt) = (token, nil)
    rotated.generation += 1
    try await hold.store(rotated, in: reservation)
  }

  /// Reserves disk space for the result of a refresh of `grant`. Without the space no request is sent, and the login stays as it is.
  ///
  /// Returns nil for a grant of which a refresh can lose nothing: it could not be written before, or its refresh token stays the same.
  func reservation(for grant: Grant) async throws -> GrantReservation? {
    do throws(OAuthFailure) {
      return try await dependencies.store.reserve(for: grant)
    } catch {
      guard life.unsaved == nil, !grant.isForClient, !grant.keepsRefreshToken else { return nil }
      throw error.of(name)
    }
  }

  /// Returns the client's own grant with a new token, or the stored grant if `isEnough` accepts it.
  ///
  /// Holds the account's lock meanwhile. If several processes ask at once, only one of them asks the provider.
  func obtain(_ asked: AuthorizationPlan, unless isEnough: (Grant, _ now: Instant) -> Bool) async throws -> Outcome {
    try await change { hold in
      let now = dependencies.clock.instant
      // A damaged grant has been set aside by now. It must not prevent a new grant.
      let stored = try? hold.grant
      if let stored, isEnough(stored, now) { return Outcome(grant: stored, refreshed: false) }
      // The end of the process does not wait for a source that hangs.
      let call = try await accounts.credentials.call(asked)
      try send()
      var grant = try await TokenEndpoint.renewed(asked.clientGrant(replacing: stored), dependencies, asking: call).grant
      try Task.checkCancellation()
      let latest = await hold.latest(after: stored)
      guard latest?.generation == stored?.generation else {
        guard let latest else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
        return Outcome(grant: latest, refreshed: false)
      }
      // Before anything is stored, rejects a base URL on a host that is not allowed.
      _ = try asked.provider.filled(with: grant.attributes, client: asked.client, isComplete: true)
      grant.declinedScopes = grant.missing(of: asked.scopes)
      grant.generation = (stored?.generation ?? 0) + 1
      grant.login = stored?.login ?? newLogin()
      try await hold.store(grant, isToken: true)
      lives.change(key) { $0.endSweep() }
      return Outcome(grant: grant, refreshed: true)
    }
  }
}
