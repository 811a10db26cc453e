import OAuthCore
import Platform
import Store
import Synchronization

/// Refreshes grants, one at a time for an account, and stores the grants of refreshes and sign-ins.
///
/// A refresh runs in a separate task that no caller's cancellation reaches. Once the server has replaced a refresh
/// token, the new one must reach the disk. The account's lock is held across read → refresh → save.
/// Two processes therefore never send the same refresh token. If the save fails, the lock is held until a later one succeeds.
actor TokenRefresher {
  struct Outcome: Sendable {
    var grant: Grant
    /// Whether this call stored a new access token.
    var refreshed: Bool
    /// Whether the old token is used because no new one is available.
    var isPutOff = false
  }

  let dependencies: Dependencies
  /// Learns of every grant that this actor stores and removes.
  nonisolated let changes: AccountChanges
  nonisolated let refreshing = SingleFlight<AccountKey, Outcome>()
  /// The reasons of the running refreshes.
  var reasons: [AccountKey: RefreshReason] = [:]
  /// What `unsaved` has, also for the threads that read an account at once.
  nonisolated private let memory = Mutex<[AccountKey: UnsavedGrant]>([:])
  /// Grants that could not be written to disk, with any rotated refresh token. The next use writes them again.
  /// After a rotation, a task in the background tries every 1 to 30 s, too.
  var unsaved: [AccountKey: UnsavedGrant] {
    get { memory.withLock { $0 } }
    set {
      memory.withLock { $0 = newValue }
      recordWork()
    }
  }
  /// Accounts whose refresh holds the lock, and since when, in milliseconds of uptime. Its request may have been sent.
  var sending: [AccountKey: Int] = [:]
  /// Whether the process is about to end. No request may then be sent, because its response would be lost.
  var isClosed = false
  /// Second removals for accounts that were forgotten while a refresh or another process held their lock.
  var sweeps: [AccountKey: Task<Void, Never>] = [:] { didSet { recordWork() } }
  /// The tries to write a grant of which the disk has only a predecessor that must not be used any more.
  var writing: [AccountKey: Task<Void, Never>] = [:]
  let hasWork = Atomic<Bool>(false)
  /// The look-ups after a sign-in.
  nonisolated let lookUps = SingleFlight<AccountLookupRequest.Version, Grant?>()
  /// The grants whose look-up failed, and when, in Unix seconds.
  var failedLookUps: [AccountKey: (grant: Grant, time: Int)] = [:]
  /// When a valid token was last renewed ahead of its expiry, in Unix seconds.
  var ahead: [AccountKey: Int] = [:]

  init(_ dependencies: Dependencies) { (self.dependencies, changes) = (dependencies, AccountChanges(dependencies)) }

  /// Returns the grant that could not be written to disk in place of the stored one, which it replaces.
  nonisolated func overlay(_ account: String, _ stored: StoredGrant?) -> StoredGrant? {
    guard let held = memory.withLock({ $0.isEmpty ? nil : $0[.init(account)] }), held.follows(stored?.grant) else { return stored }
    return StoredGrant(held.grant, sealedWith: stored?.keySource)
  }

  /// The same for a listing.
  nonisolated func overlay(_ listed: [AccountSummary.Listed]) -> [AccountSummary.Listed] {
    var listed = listed
    for held in memory.withLock({ Array($0.values) }) {
      let account = held.grant.account
      guard let found = overlay(account, try? dependencies.store.find(account)), found.grant == held.grant else { continue }
      listed.removeAll { $0.account == account }
      listed.append(AccountSummary.Listed(found.summary, usedAt: dependencies.store.lastUse(of: account)))
    }
    return listed.sorted { $0.account < $1.account }
  }

  /// Returns the account's grant, also if it could not be written to disk.
  func current(_ account: String) throws(OAuthFailure) -> Grant? {
    let stored = try dependencies.store.read(account)?.described(by: dependencies.catalog)
    guard let held = unsaved[.init(account)], held.follows(stored) else { return stored }
    return held.grant
  }

  /// Tries again to write an unsaved grant, then returns the account's grant.
  func currentAfterSaving(_ account: String) async throws -> Grant? {
    if unsaved[.init(account)] != nil { await saveAgain(account) }
    return try current(account)
  }
}
