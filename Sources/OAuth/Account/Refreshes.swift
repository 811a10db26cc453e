import Jansson
import Synchronization

/// Refreshes, one at a time for an account, whoever asks; and the keeping of what they and sign-ins bring.
///
/// A refresh runs as a task of its own that no caller's cancellation reaches: once the server has replaced a refresh token, the new one must reach the
/// disk. The account's lock is held across read → refresh → save, so that two processes never send the same refresh token.
actor Refreshes {
  struct Outcome: Sendable {
    var grant: Grant
    /// False when another caller's newer grant was taken.
    var refreshed: Bool
    /// Whether the old token is used because a new one could not be had.
    var isPutOff = false
  }

  let surroundings: Surroundings
  private(set) var running: [AccountKey: (task: Task<Void, Never>, promise: Promise<Outcome>, need: Need)] = [:] {
    didSet { noteWork() }
  }
  /// Grants that the disk would not take; kept here so that a rotated refresh token is not lost, and tried again at the next use.
  var unsaved: [AccountKey: UnsavedGrant] = [:] { didSet { noteWork() } }
  /// Accounts whose refresh has the lock, so that its request may have been sent.
  private(set) var sending: Set<AccountKey> = []
  /// Whether the process is about to end, so that nothing may be sent whose answer would be lost.
  var isClosed = false
  /// Second looks at accounts that were forgotten while somebody else held their lock.
  var sweeps: [AccountKey: Task<Void, Never>] = [:] { didSet { noteWork() } }
  let hasWork = Atomic<Bool>(false)
  /// The look-ups after a sign-in that run, and those that failed.
  var lookUps: [AccountKey: LookUp] = [:]
  /// When a token that lived was last renewed ahead, in Unix seconds.
  private var ahead: [AccountKey: Int] = [:]
  /// Five minutes: a provider that will not renew a token is not asked at every call, and there are days left to try.
  private static let pause = 300

  init(_ surroundings: Surroundings) { self.surroundings = surroundings }

  /// The account's grant if the disk has it as it is.
  func saved(_ account: String) throws(OAuthFailure) -> Grant? { unsaved[.init(account)] == nil ? try current(account) : nil }

  func refresh(_ account: String, _ need: Need, cause: JSON?) async throws -> Outcome {
    while let (_, promise, other) = running[.init(account)] {
      let outcome: Outcome
      do {
        outcome = try await promise.value()
      } catch is OAuthFailure where (other.isAhead && !need.isAhead) || (need.insists && !other.insists) {
        // The other refresh gave up because there was time, or because it was not to insist.
        continue
      }
      // One that began for a caller that saw an older token may have found nothing to do.
      let isEnough = !need.force && !need.wantsMore(of: outcome.grant, at: surroundings.instant)
      if isEnough || outcome.grant.generation > need.seen ?? 0 { return outcome }
    }
    let promise = Promise<Outcome>()
    let task = Task {
      let outcome: Result<Outcome, any Error>
      do {
        outcome = .success(try await run(account, need, cause))
      } catch {
        outcome = .failure(error)
      }
      running[.init(account)] = nil
      promise.settle(outcome)
    }
    running[.init(account)] = (task, promise, need)
    return try await promise.value()
  }

  /// Whether a token may be renewed ahead now; who hears yes is the one to do it.
  func mayRenewAhead(_ account: String) -> Bool {
    let now = surroundings.clock()
    // A clock that was set back must not keep anybody waiting for longer.
    if let last = ahead[.init(account)], (last..<last + Self.pause).contains(now) { return false }
    ahead[.init(account)] = now
    return true
  }

  /// What is kept of the account, a grant that the disk would not take included.
  func current(_ account: String) throws(OAuthFailure) -> Grant? {
    let stored = try surroundings.store.read(account)?.described(by: surroundings.presets)
    guard let held = unsaved[.init(account)], held.follows(stored) else { return stored }
    return held.grant
  }

  /// The same, after another try to bring to the disk what it would not take before.
  func settled(_ account: String) async throws -> Grant? {
    if unsaved[.init(account)] != nil { await saveAgain(account) }
    return try current(account)
  }

  /// Its failure has been told when it first came; whoever uses the grant can go on with what memory holds.
  func saveAgain(_ account: String) async {
    guard running[.init(account)] == nil, let lock = try? await surroundings.store.lock(account) else { return }
    defer { withExtendedLifetime(lock) {} }
    guard let held = unsaved[.init(account)] else { return }
    do {
      if held.follows(try replaceable(account)) {
        try await save(held.grant)
      } else {
        unsaved[.init(account)] = nil
        surroundings.remark(.grantNotWritten(account: account, reason: "the account has been signed in or out since"))
      }
    } catch {
      // The grant stays in memory.
    }
  }

  private func run(_ account: String, _ need: Need, _ cause: JSON?) async throws -> Outcome {
    let lock = try await surroundings.store.lock(account)
    defer { withExtendedLifetime(lock) {} }
    guard !isClosed else { throw CancellationError() }
    sending.insert(.init(account))
    defer { sending.remove(.init(account)) }
    guard var grant = try current(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    let now = surroundings.instant
    if need.isMet(by: grant, at: now) {
      if unsaved[.init(account)] != nil { try await save(grant) }
      return Outcome(grant: grant, refreshed: false)
    }
    if need.insists { grant.isRefreshRefused = false }
    guard grant.canRefresh(at: now.seconds) else { throw Renewal.nothingToRenewWith(grant, at: now) }
    if let client = need.client, client.id == grant.client.id { grant.client = client }
    let reservation = try await reservation(for: grant)
    let fresh: Grant
    let idToken: Secret?
    do throws(OAuthFailure) {
      (fresh, idToken) = try await Renewal(surroundings: surroundings, overridesPause: need.insists).renewed(grant)
    } catch {
      try await keepRotated(error.rotatedRefreshToken, of: grant, in: reservation)
      guard error.ends(grant, at: now), !need.isAhead else {
        if error.isRetryable { surroundings.remark(.refreshPutOff(account: account, kind: error.kind)) }
        throw error.of(account)
      }
      // What was refused is the token of a grant that a sign-in may have replaced or a sign-out forgotten meanwhile.
      if try current(account)?.isSame(as: grant) == true {
        grant.isClientForgotten = grant.isClientRegistered && error["error"] == "invalid_client"
        try await markRefused(grant)
      }
      var failure = OAuthFailure.signInRequired(.refreshRefused, account: account)
      failure.details += error.details
      throw failure
    }
    // A sign-out or a newer sign-in that came meanwhile wins over this answer.
    let latest = latest(after: grant)
    guard latest?.generation == grant.generation else {
      guard let newer = latest else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
      return Outcome(grant: newer, refreshed: false)
    }
    let identity = RefreshedIdentity(grant, idToken, surroundings)
    if let failure = identity.foreignUser {
      try await markRefused(grant)
      throw failure.of(account)
    }
    try await save(fresh, in: reservation)
    surroundings.remark(.refreshed(account: account, need.reason(with: grant, at: now)))
    surroundings.tell(
      AccountEvent(
        account: account, cause: cause,
        fact: .refreshed(
          expiresAt: fresh.expiresAt,
          refreshTokenChanged: fresh.refreshToken != grant.refreshToken || fresh.sessionHandle != grant.sessionHandle)))
    return Outcome(grant: try await identified(fresh, identity, cause), refreshed: true)
  }

  /// The refreshed grant, which is on disk already, with its new ID token. One that is not believed is told of and left out: the tokens that came with
  /// it by the same answer are the account's, and a refresh token that was replaced must not be lost for its sake.
  private func identified(_ fresh: Grant, _ identity: RefreshedIdentity, _ cause: JSON?) async throws -> Grant {
    do {
      guard let identified = try await identity.apply(to: fresh) else { return fresh }
      try await save(identified)
      return identified
    } catch let failure as OAuthFailure where failure.kind != .storageFailure {
      surroundings.tell(AccountEvent(account: fresh.account, cause: cause, fact: .failed(failure.of(fresh.account))))
      return fresh
    }
  }

  func save(_ grant: Grant, in reservation: GrantReservation? = nil) async throws {
    do throws(OAuthFailure) {
      if let reservation { try await reservation.write(grant) } else { try await surroundings.store.write(grant) }
      unsaved[.init(grant.account)] = nil
    } catch {
      remarkUnwritten(grant, error)
      hold(grant)
      throw error.of(grant.account)
    }
  }

  /// Keeps in memory what the disk did not take, with what it was to replace.
  func hold(_ grant: Grant) {
    let stored = try? surroundings.store.read(grant.account)
    unsaved[.init(grant.account)] = UnsavedGrant(grant: grant, replaced: stored ?? nil)
  }

  /// Marks a grant whose token the service called dead, unless a newer one has come: `authorize` then asks for a sign-in rather than
  /// giving it again.
  func end(_ grant: Grant) async throws {
    let lock = try await surroundings.store.lock(grant.account)
    defer { withExtendedLifetime(lock) {} }
    guard let kept = try current(grant.account), kept.isSame(as: grant), !kept.isRefreshRefused else { return }
    try await markRefused(kept)
  }

  func remarkUnwritten(_ grant: Grant, _ error: any Error) {
    let reason = (error as? OAuthFailure)?.message ?? "it was cancelled"
    surroundings.remark(.grantNotWritten(account: grant.account, reason: reason))
  }

  /// The server that sent a new refresh token has ended the old one, whatever else is wrong with its answer.
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
