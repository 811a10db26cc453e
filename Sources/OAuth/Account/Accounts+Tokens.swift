import Jansson
import OAuthCore
import Platform
import Store

/// Valid tokens.
extension Accounts {
  /// Returns a grant whose access token is valid for `validity` more seconds, and refreshes it if needed.
  /// Times out after `seconds`; the message names `time`.
  ///
  /// With `withIDToken`, the ID token must be valid for another minute if a refresh can replace it.
  /// If no new ID token is available, a valid access token is returned all the same, unless the caller `needsIDToken`.
  package func usableGrant(
    _ account: String, validity: Int? = nil, withIDToken: Bool = false, needsIDToken: Bool = false,
    in seconds: Int = Accounts.defaultTimeoutSeconds, of time: Int? = nil, requestID: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    // The usual case needs no network and no lock, and therefore no timeout.
    if let grant = usableGrantAtOnce(account, validity: validity, withIDToken: withIDToken, needsIDToken: needsIDToken) {
      return (grant, false)
    }
    return try await withinTimeout(account, seconds, of: time) {
      let found = try await self.renewed(account, validity: validity, withIDToken: withIDToken, requestID: requestID)
      guard needsIDToken, found.grant.validIDToken(at: self.now) == nil else { return found }
      return try await self.withNewIDToken(found.grant, requestID: requestID)
    }
  }

  /// Returns the grant with an ID token that a refresh has brought. Some providers send none with a refresh.
  private func withNewIDToken(_ grant: Grant, requestID: JSON?) async throws -> (grant: Grant, refreshed: Bool) {
    var latest = grant
    if grant.idToken != nil, grant.canRefresh(at: now) {
      latest = try await renew(grant, .init(seen: grant.generation, force: true), requestID: requestID).grant
      if latest.validIDToken(at: now) != nil { return (latest, true) }
    }
    let why = grant.idToken == nil ? "the account has no ID token" : "the ID token has expired, and a refresh brings no other"
    throw OAuthFailure.signInRequired(.expired, account: grant.account, why: why, advice: .openid)
  }

  /// Returns the same grant if it can be had without waiting for a program, the network or a running refresh; nil otherwise.
  ///
  /// For the thread that reads requests. A fresh process that answers `accessToken` in this way starts one thread instead of six.
  package func usableGrantAtOnce(_ account: String, validity: Int?, withIDToken: Bool, needsIDToken: Bool = false) -> Grant? {
    guard self[account].life.hasNoWork, let stored = (try? known(account)) ?? nil else { return nil }
    let grant = stored.grant.described(by: dependencies.catalog)
    return isUsable(grant, validity, withIDToken, needsIDToken) ? grant : nil
  }

  private func isUsable(_ grant: Grant, _ validity: Int?, _ withIDToken: Bool, _ needsIDToken: Bool) -> Bool {
    let now = dependencies.clock.instant
    if needsIDToken, grant.validIDToken(at: now.seconds) == nil { return false }
    return grant.isValid(for: validity, at: now) && !grant.isDue(at: now) && !(withIDToken && grant.wantsIDToken(at: now.seconds))
  }

  private func renewed(
    _ account: String, validity: Int?, withIDToken: Bool, requestID: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    guard let grant = try await self[account].currentAfterSaving() else {
      let outcome = try await obtained(account, .init(validity: validity), requestID: requestID)
      return (outcome.grant, outcome.refreshed)
    }
    if grant.isValid(for: validity, at: dependencies.clock.instant) {
      if let renewed = try await renewedEarly(grant, requestID: requestID) { return (renewed, true) }
      guard withIDToken, grant.wantsIDToken(at: now), self[account].mayRenewEarly() else { return (grant, false) }
      do {
        let outcome = try await renew(
          grant, .init(seen: grant.generation, validity: validity, withIDToken: true), requestID: requestID)
        return (outcome.grant, outcome.refreshed)
      } catch is OAuthFailure {
        return (grant, false)
      }
    }
    let outcome = try await refreshed(grant, .init(seen: grant.generation, validity: validity), requestID: requestID)
    return (outcome.grant, outcome.refreshed)
  }

  /// Minimum remaining validity in milliseconds of an old token that is used because the refresh failed.
  private static let lastUse = 5000

  /// Returns the refreshed grant. If the refresh fails for a temporary reason and the token is still usable, returns the grant as it is.
  /// A caller that requires a validity gets the failure.
  func refreshed(_ grant: Grant, _ need: Account.RefreshReason, requestID: JSON?) async throws -> Account.Outcome {
    do {
      return try await renew(grant, need, requestID: requestID)
    } catch let failure as OAuthFailure where failure.isRetryable {
      guard !need.force, need.validity == nil, let left = grant.left(at: dependencies.clock.instant), left >= Self.lastUse else {
        throw failure
      }
      // Memory holds the grant even if the disk write failed.
      let latest = (try? self[grant.account].current()) ?? grant
      return Account.Outcome(grant: latest, refreshed: false, isPutOff: true)
    }
  }

  /// Renews a grant whose token is still valid but due for renewal (`Grant.isDue`).
  /// Returns nil if it is not due, was tried recently, or the renewal failed.
  /// A failure is reported and does not stop the caller, because the token is still valid.
  func renewedEarly(_ grant: Grant, requestID: JSON?) async throws -> Grant? {
    guard grant.isDue(at: dependencies.clock.instant), self[grant.account].mayRenewEarly() else { return nil }
    do {
      let outcome = try await renew(grant, .init(seen: grant.generation, isAhead: true), requestID: requestID)
      return outcome.grant.generation > grant.generation ? outcome.grant : nil
    } catch var failure as OAuthFailure {
      failure.message = "the access token could not be renewed early and is used unchanged: \(failure.message)"
      emit(grant.account, requestID, .failed(failure.of(grant.account)))
      // Memory holds the grant even if the disk write failed.
      return try self[grant.account].current().flatMap { held in held.generation > grant.generation ? held : nil }
    }
  }

  /// Returns a new access token after the service rejected this one. A newer token of another process or request is enough.
  func replace(_ grant: Grant, requestID: JSON?) async throws -> Grant {
    try await renew(grant, .init(seen: grant.generation, force: true, isTokenRejected: true), requestID: requestID).grant
  }

  package func refresh(
    _ account: String, validity: Int? = nil, force: Bool, requestID: JSON?
  ) async throws -> (authorization: Authorization, refreshed: Bool) {
    guard let grant = try await self[account].currentAfterSaving() else {
      let outcome = try await obtained(account, .init(validity: validity), requestID: requestID)
      return (Authorization(outcome.grant, via: outcome.refreshed ? .refreshed : .stored, asked: [], now: now), outcome.refreshed)
    }
    _ = try grant.usableToken()
    guard force || !grant.isValid(for: validity, at: dependencies.clock.instant) || grant.wantsIDToken(at: now) else {
      let renewed = try await renewedEarly(grant, requestID: requestID)
      return (Authorization(renewed ?? grant, via: renewed == nil ? .stored : .refreshed, asked: [], now: now), renewed != nil)
    }
    let outcome = try await refreshed(
      grant, .init(seen: grant.generation, validity: validity, force: force, insists: force, withIDToken: true), requestID: requestID)
    return (Authorization(outcome.grant, via: outcome.refreshed ? .refreshed : .stored, asked: [], now: now), outcome.refreshed)
  }

  /// Records that a service has rejected the access token; `isCertain` if it says that the token has ended. Returns whether the grant is marked now.
  ///
  /// Only its authorization server ends a grant that can be refreshed, because several services answer 401 for a missing scope.
  package func wasRejected(_ grant: Grant, isCertain: Bool = false) async -> Bool {
    let ends = !grant.isRenewable && (isCertain || (try? grant.resolvedProvider)?.api.expired.isCertain == true)
    await note(grant) { [now] noted in
      if ends { noted.end("the service rejected the access token", at: now) } else { noted.doubtedAt = noted.doubtedAt ?? now }
    }
    return ends
  }

  /// Stores what a call found out about a token. A failure to store does not change the service's response.
  func note(_ grant: Grant, _ change: (inout Grant) -> Void) async {
    do {
      try await self[grant.account].note(grant, change)
    } catch is CancellationError {
      // The caller has stopped waiting, and the next call finds out the same.
    } catch {
      emit(grant.account, nil, .failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the grant could not be changed")))
    }
  }

  /// Returns the grant with the `afterSignIn` values. They are missing if an earlier version signed in or the request failed.
  func completed(_ grant: Grant, requestID: JSON?) async -> Grant {
    guard grant.provider["afterSignIn"] != nil, (try? AccountLookupRequest.needed(by: grant)) != nil else { return grant }
    return await self[grant.account].completed(grant, requestID: requestID) ?? grant
  }
}

/// Returning credentials.
extension Accounts {
  /// Records that a method is about to return a credential of the account. Throws if the audit file cannot be written within `seconds`.
  package func recordUse(_ account: String, by method: String, within seconds: Int) async throws {
    try await dependencies.audit?.write(CredentialUse(account, method), within: max(1, seconds))
    store.wasUsed(account)
  }

  /// Does the same if nothing has to be written first. Otherwise records nothing and returns false.
  package func recordUseAtOnce(_ account: String) -> Bool {
    guard dependencies.audit == nil else { return false }
    store.wasUsed(account)
    return true
  }
}
