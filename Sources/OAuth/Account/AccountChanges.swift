import Dispatch
import OAuthCore
import Platform
import Store
import Synchronization

/// Reports each change of an account's grant once, whether this process or another one made it.
///
/// It compares what it last knew of a grant with what is stored. This process announces its own changes before it makes them,
/// so the store's notice of such a change finds nothing new.
final class AccountChanges: Sendable {
  private struct Entry {
    let account: String
    var known: Known
    /// The number of the last step that concerned the account.
    var step: Int
  }

  private struct State {
    var entries: [AccountKey: Entry] = [:]
    /// The accounts that this process is changing, and how often at the same time.
    var changing: [AccountKey: Int] = [:]
    /// Those among them that the store has reported meanwhile.
    var missed: Set<AccountKey> = []
    /// Counts what happens to entries, which exposes an outdated look at the store.
    var step = 0
    var isWatching = false
    /// Whether changes by other processes are reported. The store may be watched for a sign-in alone.
    var isReporting = false
    /// The running look at all accounts.
    var look: Task<Void, Never>?
    /// The sign-ins that wait for a change of their account.
    var notices: [Int: (account: String, notice: AsyncStream<Void>.Continuation)] = [:]
  }

  private let dependencies: Dependencies
  private let state = Mutex(State())
  /// Whether an account without an entry has no grant. Otherwise nothing is known of it.
  private let isComplete = Flag()
  /// Whether the store reports what other processes change.
  let canWatch = Flag()
  /// Serial, because such a queue has its own thread, which may block.
  private let queue = DispatchQueue(label: "changes")

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  // MARK: Watching

  /// Notices the changes of other processes from now on, and reports them if the client wants that.
  func start() {
    let reports = dependencies.reportsChanges()
    let (watches, begins) = state.withLock { state in
      defer { (state.isWatching, state.isReporting) = (true, state.isReporting || reports) }
      return (!state.isWatching, reports && !state.isReporting)
    }
    if watches {
      do throws(OAuthFailure) {
        try dependencies.store.watch { [weak self] account in self?.noticed(account) }
        canWatch.set()
      } catch {
        dependencies.log(.storeNotWatched(error.message))
      }
    }
    // The first look finds out what the later ones are compared with.
    if begins {
      let look = lookAtAll()
      queue.async { look.wait() }
    }
  }

  private func noticed(_ account: String?) {
    queue.async { [self] in
      let (isReporting, waiting) = state.withLock { state in
        (state.isReporting, state.notices.values.filter { account == nil || AccountKey($0.account) == account.map(AccountKey.init) })
      }
      // The later changes are compared with this listing.
      if account == nil, isReporting { lookAtAll().wait() }
      // A store may remember what it has read. Looking makes it read again.
      if isReporting, let account { look(at: account) } else { waiting.forEach { look(at: $0.account) } }
      for each in waiting { each.notice.yield() }
    }
  }

  /// Returns an element now, and one whenever the account's grant may have changed.
  func notices(of account: String) -> AsyncStream<Void> {
    start()
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { notice in
      let number = state.withLock { state in
        state.step += 1
        state.notices[state.step] = (account, notice)
        return state.step
      }
      notice.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.notices.removeValue(forKey: number) } }
      notice.yield()
    }
  }

  // MARK: Looking

  /// Compares an account's grant with what was known of it. Reads the store on this thread.
  private func look(at account: String, isJustRead: Bool = false) {
    guard dependencies.limits.allows(account: account) else { return }
    while !isCompared(account, isJustRead) {}
  }

  /// Returns false if the account changed meanwhile.
  private func isCompared(_ account: String, _ isJustRead: Bool) -> Bool {
    let key = AccountKey(account)
    let step = state.withLock { state -> Int? in
      guard state.changing[key] == nil else {
        state.missed.insert(key)
        return nil
      }
      return state.entries[key]?.step ?? 0
    }
    guard let step else { return true }
    let found = read(account, isJustRead)
    return state.withLock { state in
      guard state.changing[key] == nil, state.entries[key]?.step ?? 0 == step else { return false }
      learn(account, found, .elsewhere, &state)
      return true
    }
  }

  private func read(_ account: String, _ isJustRead: Bool) -> Known {
    do throws(OAuthFailure) {
      let stored = isJustRead ? try dependencies.store.find(account) : try dependencies.store.examine(account)
      return stored.map { Known($0.summary) } ?? .noGrant
    } catch {
      dependencies.log(.changeUnread(account: account, reason: error.message))
      return .unread
    }
  }

  /// Starts a look at all accounts. The queue's thread waits for its end.
  private func lookAtAll() -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    state.withLock { state in
      state.look = Task {
        do throws(OAuthFailure) {
          _ = try await listAndCompare()
        } catch {
          dependencies.log(.storeNotWatched(error.message))
        }
        done.signal()
      }
    }
    return done
  }

  /// Lists the accounts. A client that got the first listing learns of every later change.
  func list() async throws(OAuthFailure) -> [AccountSummary.Listed] {
    // The store remembers what a look has read. Two at the same time would read every grant twice.
    await state.withLock { $0.look }?.value
    return try await listAndCompare()
  }

  /// Lists the accounts, and compares them with what was known.
  private func listAndCompare() async throws(OAuthFailure) -> [AccountSummary.Listed] {
    let start = state.withLock { $0.step }
    let listed = try await dependencies.store.list()
    guard dependencies.reportsChanges() else { return listed }
    let again = state.withLock { state in
      var again: [String] = []
      var present: Set<AccountKey> = []
      func compare(_ account: String, _ found: Known) {
        let key = AccountKey(account)
        if state.changing[key] != nil || state.entries[key]?.step ?? 0 > start {
          again.append(account)
        } else {
          learn(account, found, .elsewhere, &state)
        }
      }
      for each in listed where dependencies.limits.allows(account: each.account) {
        present.insert(AccountKey(each.account))
        compare(each.account, each.summary.map(Known.init) ?? .unread)
      }
      for (key, entry) in state.entries where !present.contains(key) { compare(entry.account, .noGrant) }
      isComplete.set()
      return again
    }
    for account in again { look(at: account) }
    return listed
  }

  /// Remembers what a client learns before the first listing. A later difference is then a change.
  func saw(_ account: String, _ stored: StoredGrant?) {
    guard !isComplete.isSet, dependencies.reportsChanges() else { return }
    state.withLock { state in
      guard state.entries[.init(account)] == nil, state.changing[.init(account)] == nil else { return }
      learn(account, stored.map { Known($0.summary) } ?? .noGrant, .elsewhere, &state)
    }
  }

  // MARK: This process's own changes

  /// Announces a change of this process. `end` must follow. The caller holds the account's lock, if it can be had.
  func begin(_ account: String) {
    // What another process has changed until now is its own change. The caller has just read the grant.
    if dependencies.reportsChanges() { look(at: account, isJustRead: true) }
    state.withLock { $0.changing[.init(account), default: 0] += 1 }
  }

  /// Reports what was announced.
  func end(_ account: String, _ change: OwnChange) {
    let key = AccountKey(account)
    let found: Known? =
      switch change {
      case _ where !dependencies.reportsChanges(): nil
      case .stored(let grant): Known(AccountSummary(grant))
      case .removed: .noGrant
      case .failed: nil
      }
    let removal: AccountEvent.Change = if case .removed(let removal) = change { removal } else { .removed }
    let isMissed = state.withLock { state in
      let count = (state.changing[key] ?? 1) - 1
      state.changing[key] = count == 0 ? nil : count
      if let found { learn(account, found, .here, &state, removal: removal) }
      return count == 0 && state.missed.remove(key) != nil
    }
    if isMissed { look(at: account) }
  }

  /// Remembers what is stored, and reports the difference. Events are sent under the lock, which keeps them in order.
  private func learn(
    _ account: String, _ found: Known, _ origin: AccountEvent.Origin, _ state: inout State, removal: AccountEvent.Change = .removed
  ) {
    let key = AccountKey(account)
    let known = state.entries[key]?.known ?? (isComplete.isSet ? .noGrant : nil)
    state.step += 1
    // A grant that cannot be read now may be read again later. It is then compared with what was known before.
    state.entries[key] = Entry(account: account, known: found == .unread ? known ?? .unread : found, step: state.step)
    guard let change = known?.change(to: found), dependencies.reportsChanges(), dependencies.limits.allows(account: account) else { return }
    let shown = change == .removed ? removal : change
    dependencies.emit(AccountEvent(account: account, requestID: nil, kind: .changed(shown, by: origin)))
  }
}
