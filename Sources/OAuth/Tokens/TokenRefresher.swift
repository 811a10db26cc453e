import Jansson
import OAuthCore
import Platform
import Synchronization

/// Refreshes grants, one at a time for an account, and stores the grants of refreshes and sign-ins.
///
/// A refresh runs in a separate task that no caller's cancellation reaches. Once the server has replaced a refresh
/// token, the new one must reach the disk. The account's lock is held across read → refresh → save.
/// Two processes therefore never send the same refresh token.
actor TokenRefresher {
  struct Outcome: Sendable {
    var grant: Grant
    /// False if another caller's newer grant was used.
    var refreshed: Bool
    /// Whether the old token is used because no new one is available.
    var isPutOff = false
  }

  let dependencies: Dependencies
  nonisolated let refreshing = SingleFlight<AccountKey, Outcome>()
  /// The reasons of the running refreshes.
  private var reasons: [AccountKey: RefreshReason] = [:]
  /// Grants that could not be written to disk. Memory keeps them, with any rotated refresh token, until the next use tries again.
  var unsaved: [AccountKey: UnsavedGrant] = [:] { didSet { recordWork() } }
  /// Accounts whose refresh holds the lock. Its request may have been sent.
  private(set) var sending: Set<AccountKey> = []
  /// Whether the process is about to end. No request may then be sent, because its response would be lost.
  var isClosed = false
  /// Second removals for accounts that were forgotten while a refresh or another process held their lock.
  var sweeps: [AccountKey: Task<Void, Never>] = [:] { didSet { recordWork() } }
  let hasWork = Atomic<Bool>(false)
  /// The look-ups after a sign-in.
  nonisolated let lookUps = SingleFlight<AccountLookupRequest.Version, Grant?>()
  /// The grants whose look-up failed, and when, in Unix seconds.
  var failedLookUps: [AccountKey: (grant: Grant, time: Int)] = [:]
  /// When a valid token was last renewed ahead of its expiry, in Unix seconds.
  private var ahead: [AccountKey: Int] = [:]
  /// Seconds between two renewals ahead of expiry. A provider that does not renew a token is not asked at every call, and days are left to try.
  private static let pause = 300

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns the stored grant; nil if there is none or if the grant in memory is still to be written.
  func saved(_ account: String) throws(OAuthFailure) -> Grant? { unsaved[.init(account)] == nil ? try current(account) : nil }

  func refresh(_ account: String, _ need: RefreshReason, requestID: JSON?) async throws -> Outcome {
    let key = AccountKey(account)
    while let running = refreshing.running(key), let other = reasons[key] {
      let outcome: Outcome
      do {
        outcome = try await running.value()
      } catch is OAuthFailure where (other.isAhead && !need.isAhead) || (need.insists && !other.insists) {
        // The other refresh ran ahead of expiry, or did not override a rejection or pause. This one still has to run.
        continue
      }
      // A refresh for a caller with an older token may have found nothing to do.
      let isEnough = !need.force && !need.wantsMore(of: outcome.grant, at: dependencies.clock.instant)
      if isEnough || outcome.grant.generation > need.seen ?? 0 { return outcome }
    }
    // Without the client, whose secret would stay in memory.
    reasons[key] = need
    reasons[key]?.client = nil
    return try await refreshing.join(key) { [self] in try await run(account, need, requestID) }.value()
  }

  /// Whether a token may be renewed ahead of expiry now. A caller that gets true has to renew it.
  func mayRenewEarly(_ account: String) -> Bool {
    let now = dependencies.clock.now
    // A clock that was set back must not prolong the wait.
    if let last = ahead[.init(account)], (last..<last + Self.pause).contains(now) { return false }
    ahead[.init(account)] = now
    return true
  }

  /// Returns the account's grant, also if it could not be written to disk.
  func current(_ account: String) throws(OAuthFailure) -> Grant? {
    let stored = try dependencies.store.read(account)?.described(by: dependencies.catalog)
    guard let held = unsaved[.init(account)], held.follows(stored) else { return stored }
    return held.grant
  }

  /// Returns the account's grant after another try to write it to disk.
  func settled(_ account: String) async throws -> Grant? {
    if unsaved[.init(account)] != nil { await saveAgain(account) }
    return try current(account)
  }

  private func run(_ account: String, _ need: RefreshReason, _ requestID: JSON?) async throws -> Outcome {
    let lock = try await dependencies.store.lock(account)
    defer { withExtendedLifetime(lock) {} }
    guard !isClosed else { throw CancellationError() }
    sending.insert(.init(account))
    defer { sending.remove(.init(account)) }
    guard var grant = try current(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    let now = dependencies.clock.instant
    if need.isMet(by: grant, at: now) {
      if unsaved[.init(account)] != nil { try await save(grant) }
      return Outcome(grant: grant, refreshed: false)
    }
    if need.insists { grant.isRefreshRefused = false }
    guard grant.canRefresh(at: now.seconds) else { throw TokenEndpoint.cannotRefresh(grant, at: now) }
    if let client = need.client, client.id == grant.client.id { grant.client = client }
    let reservation = try await reservation(for: grant)
    let fresh: Grant
    let idToken: Secret?
    do {
      (fresh, idToken) = try await TokenEndpoint.renewed(grant, dependencies, need.insists ? .ignored : .fails)
    } catch let error as OAuthFailure {
      try await keepRotated(error.rotatedRefreshToken, of: grant, in: reservation)
      guard error.ends(grant, at: now), !need.isAhead else {
        if error.isRetryable { dependencies.log(.refreshPutOff(account: account, kind: error.kind)) }
        throw error.of(account)
      }
      // The rejected token may belong to a grant that a sign-in has replaced or a sign-out has removed meanwhile.
      if try current(account)?.isSame(as: grant) == true {
        grant.isClientForgotten = grant.isClientRegistered && error["error"] == "invalid_client"
        try await markRefused(grant)
      }
      var failure = OAuthFailure.signInRequired(.refreshRefused, account: account)
      failure.details += error.details
      throw failure
    }
    // A sign-out or a newer sign-in during the refresh wins over this response.
    let latest = latest(after: grant)
    guard latest?.generation == grant.generation else {
      guard let newer = latest else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
      return Outcome(grant: newer, refreshed: false)
    }
    let identity = IDTokenValidation.Refreshed(old: grant, token: idToken, dependencies: dependencies)
    if let failure = identity.foreignUser {
      try await markRefused(grant)
      throw failure.of(account)
    }
    try await save(fresh, in: reservation)
    dependencies.log(.refreshed(account: account, need.reason(with: grant, at: now)))
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

  /// Marks a grant whose token the service reported as invalid, unless the account has a newer grant.
  /// `authorize` then asks for a sign-in instead of returning the token again.
  func end(_ grant: Grant) async throws {
    let lock = try await dependencies.store.lock(grant.account)
    defer { withExtendedLifetime(lock) {} }
    guard let kept = try current(grant.account), kept.isSame(as: grant), !kept.isRefreshRefused else { return }
    try await markRefused(kept)
  }

  /// Stores a rotated refresh token. A server that sends a new refresh token has ended the old one, whatever else is wrong with its response.
  private func keepRotated(_ token: Secret?, of grant: Grant, in reservation: GrantReservation?) async throws {
    guard let token, token != grant.refreshToken, latest(after: grant)?.generation == grant.generation else { return }
    var kept = grant
    (kept.refreshToken, kept.refreshTokenExpiresAt) = (token, nil)
    kept.generation += 1
    try await save(kept, in: reservation)
  }

  private func markRefused(_ grant: Grant) async throws {
    var refused = grant
    refused.isRefreshRefused = true
    refused.generation += 1
    try await save(refused)
  }
}

extension TokenRefresher {
  /// The conditions under which a refresh is needed.
  struct RefreshReason: Sendable {
    /// The generation that the caller saw. A newer valid grant on disk is used without a refresh.
    var seen: Int?
    /// Seconds that the token must be valid for; nil for the minimum of every use (`Grant.isValid`).
    var validity: Int?
    /// Whether to refresh a token that is still valid.
    var force = false
    /// Whether the user asks for it in spite of a recorded rejection or a pause that the server asked for.
    var insists = false
    /// Whether the ID token must be valid as well, if a refresh can replace it.
    var withIDToken = false
    /// Whether to renew a valid token that is due. If the server rejects that, the token stays in use until it expires.
    var isAhead = false
    /// The grant's client with a changed secret; nil if the stored one is current.
    var client: Client?

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

    /// Returns why this grant needs a refresh.
    func reason(with grant: Grant, at now: Instant) -> LogMessage.Reason {
      if !grant.isValid(for: validity, at: now) { return .expiring }
      if force { return .forced }
      return isAhead && grant.isDue(at: now) ? .ahead : .idToken
    }
  }
}
