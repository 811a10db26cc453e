import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// Valid tokens.
extension Account {
  /// Minimum remaining validity in milliseconds of an old token that is used because the refresh failed.
  private static let lastUse = 1000
  /// Seconds for which a caller waits for a new token while the old one is good. Some programs give a helper ten.
  static let earlyWait = 5

  /// Returns a grant that is good enough for the use, and refreshes it if needed.
  func grant(for use: TokenUse, _ requestID: JSON?) async throws -> Outcome {
    var outcome: Outcome
    if let grant = try await currentAfterSaving() {
      outcome = try await renewed(grant, try use.verdict(on: grant, at: dependencies.clock.instant), requestID)
    } else {
      outcome = try await obtained(.init(validity: use.validity), requestID)
    }
    guard use.idToken == .needed, outcome.grant.validIDToken(at: dependencies.clock.now) == nil else { return outcome }
    // Also when an old token is used because the network failed: this caller gets that failure.
    let grant = outcome.grant
    if !outcome.refreshed, grant.idToken != nil, grant.canRefresh(at: dependencies.clock.now) {
      outcome = try await renew(grant, .init(seen: grant.version, force: true), requestID)
    }
    guard outcome.grant.validIDToken(at: dependencies.clock.now) != nil else { throw use.noIDToken(outcome.grant) }
    return outcome
  }

  /// Does what the verdict on the grant asks for.
  func renewed(_ grant: Grant, _ verdict: TokenUse.Verdict, _ requestID: JSON?) async throws -> Outcome {
    let unchanged = Outcome(grant: grant, refreshed: false)
    switch verdict {
    case .enough, .signIn: return unchanged
    case .due(let reason):
      guard lives.change(key, { [now = dependencies.clock.now] in $0.mayRenewEarly(at: now) }) else { return unchanged }
      do {
        guard var outcome = try await dependencies.clock.withTimeout(Self.earlyWait, { try await self.renew(grant, reason, requestID) })
        else {
          return unchanged
        }
        outcome.refreshed = outcome.grant.generation > grant.generation
        return outcome
      } catch var failure as OAuthFailure {
        if reason.isAhead {
          failure.message = "the access token could not be renewed early and is used unchanged: \(failure.message)"
          emit(requestID, .failed(failure.of(name)))
        }
        // Memory holds the new grant if only the disk failed.
        guard let held = try? current(), held.generation > grant.generation else { return unchanged }
        return Outcome(grant: held, refreshed: true)
      }
    case .refresh(let reason):
      do {
        return try await renew(grant, reason, requestID)
      } catch let failure as OAuthFailure where failure.isRetryable {
        // The old token is used if the failure is temporary. A caller that asks for a new token or a validity gets the failure.
        guard !reason.force, !reason.validity.isAsked, let left = grant.left(at: dependencies.clock.instant), left >= Self.lastUse else {
          throw failure
        }
        return Outcome(grant: (try? current()) ?? grant, refreshed: false, isPutOff: true)
      }
    }
  }

  // MARK: New tokens

  /// Returns the account's grant. Requests the client's own if there is none.
  func present(requestID: JSON?) async throws -> Grant {
    if let grant = try await currentAfterSaving() { return grant }
    return try await obtained(.init(), requestID).grant
  }

  /// Returns the grant with a new token: a user's by a refresh, and the client's own by a request as the configuration describes it.
  /// A fault of the configuration does not keep a user's token from being refreshed.
  func renew(_ grant: Grant, _ need: RefreshReason, _ requestID: JSON?) async throws -> Outcome {
    if let plan = need.plan { return try await obtained(need, requestID, by: plan) }
    if need.isPlanned { return try await refresh(need, requestID: requestID) }
    if (try? accounts.isForClient(name)) == true { return try await obtained(need, requestID) }
    return try await tryingAgain(\Grant.client, need) {
      try await accounts.credentials.withSecret(grant)
    } _: { grant in
      var need = need
      if !grant.client.configured.isEmpty { need.client = grant.client }
      return try await refresh(need, requestID: requestID)
    }
  }

  /// Does the work. If the server rejects the client, does it once more if the client has another secret by now. Else stores that, if the token was
  /// rejected, too. The work is then done only for another secret.
  private func tryingAgain<Subject, Value>(
    _ client: KeyPath<Subject, Client>, _ need: RefreshReason, _ subject: () async throws -> Subject,
    _ work: (Subject) async throws -> Value
  ) async throws -> Value {
    let (first, grant) = (try await subject(), need.isTokenRejected ? try? current() : nil)
    if let rejection = grant?.rejection, rejection.client == first[keyPath: client].digest {
      let error = JSON.Member("error", .string(ServerError.invalidClient.rawValue))
      throw OAuthFailure(.authorizationServerError, rejection.reason, details: [error], account: name)
    }
    do {
      return try await work(first)
    } catch let failure as OAuthFailure where failure.serverError == .invalidClient {
      if let second = try? await subject(), second[keyPath: client] != first[keyPath: client] { return try await work(second) }
      guard let grant, failure.kind == .authorizationServerError else { throw failure }
      await note(grant) { [now = dependencies.clock.now] noted in
        noted.rejection = .init(at: now, reason: "a service rejected the access token, and \(failure.problem)")
        noted.rejection?.client = first[keyPath: client].digest
      }
      throw failure
    }
  }

  /// Returns the client's own grant. All callers of this process share a request, and those of other processes wait for the account's lock.
  /// Without a `plan`, the configuration describes the request.
  private func obtained(_ need: RefreshReason, _ requestID: JSON?, by plan: AuthorizationPlan? = nil) async throws -> Outcome {
    guard try plan != nil || accounts.isForClient(name) else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    while true {
      let (request, other) = share(need) { [self] in
        let outcome = try await tryingAgain(\AuthorizationPlan.client, need) {
          if let plan { plan } else { try await accounts.clientPlan(name) }
        } _: { plan in
          try await naming { try await obtain(plan) { plan.isMet(by: $0, at: $1) && need.isMet(by: $0, at: $1) } }
        }
        if outcome.refreshed { emit(requestID, .refreshed(expiresAt: outcome.grant.expiresAt, refreshTokenChanged: false)) }
        return outcome
      }
      let outcome: Outcome
      do {
        outcome = try await request.value()
      } catch is OAuthFailure where other?.isPlanned == true || other?.terms != nil {
        // The plan of another request, such as its secret, was wrong.
        continue
      } catch is Replaced {
        continue
      }
      if other?.terms != nil { continue }
      // The shared request may have served a caller that was content with less.
      if outcome.refreshed || need.isMet(by: outcome.grant, at: dependencies.clock.instant) { return outcome }
    }
  }

  // MARK: What services say about tokens

  /// Records that a service has rejected the access token; `isCertain` if it says that the token has ended. Returns whether the grant is marked now.
  ///
  /// Only its authorization server ends a grant that can be refreshed, because several services answer 401 for a missing scope.
  package func wasRejected(_ grant: Grant, isCertain: Bool = false) async -> Bool {
    let ends = !grant.isRenewable && (isCertain || (try? grant.resolvedProvider)?.api.expired.isCertain == true)
    await note(grant) { [now = dependencies.clock.now] noted in
      if ends { noted.end("the service rejected the access token", at: now) } else { noted.doubtedAt = noted.doubtedAt ?? now }
    }
    return ends
  }

  /// Stores what a call found out about a token, unless the account has a newer grant. A failure to store does not change the service's response.
  package func note(_ grant: Grant, _ edit: (inout Grant) -> Void) async {
    do {
      try await change { hold in
        guard let stored = try hold.grant, stored.isSame(as: grant) else { return }
        var noted = stored
        edit(&noted)
        guard noted != stored else { return }
        noted.generation += 1
        try await hold.store(noted)
      }
    } catch is CancellationError {
      // The caller has stopped waiting, and the next call finds out the same.
    } catch {
      emit(nil, .failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the grant could not be changed")))
    }
  }
}
