import Dispatch
import OAuthCore
import Platform
import Store
import Synchronization

/// Reports each change of an account's grant once, whether this process or another one made it.
///
/// It compares each grant with the one that it saw last. A login, its time and its mark are the stamp of a write. This process enters a write before
/// it happens, so the store's notice of it finds nothing new.
final class ChangeLedger: Sendable {
  private struct Entry {
    let account: String
    /// As of the last look; nil before the first.
    var last: StoredState?
    /// What this process is about to store.
    var expected: [StoredState] = []
    /// The number of the last step that concerned the account.
    var step: Int
  }

  private struct State {
    var entries: [AccountKey: Entry] = [:]
    /// Counts what happens to entries, which exposes an outdated look at the store.
    var step = 0
    /// Whether an account without an entry has no grant. Otherwise its grant is not compared yet.
    var isComplete = false
    /// Whether the store reports what other processes change; nil before it was asked to.
    var canWatch: Bool?
    /// Whether changes by other processes are reported. The store may be watched for a sign-in alone.
    var isReporting = false
    /// The running look at all accounts.
    var look: Task<Void, Never>?
    /// The sign-ins that wait for a change of their account.
    var notices: [Int: (account: String, notice: AsyncStream<Void>.Continuation)] = [:]
  }

  private let dependencies: Dependencies
  private let state = Mutex(State())
  /// Serial, because such a queue has its own thread, which may block.
  private let queue = DispatchQueue(label: "changes")
  /// Whether `startSoon` was called.
  private let isDue = Atomic(false)

  /// Returns the names of the configuration for other tokens of a login. A change of the login is one of theirs.
  private let derivedNames: @Sendable (_ login: String) -> [String]

  init(_ dependencies: Dependencies, _ derivedNames: @escaping @Sendable (_ login: String) -> [String]) {
    (self.dependencies, self.derivedNames) = (dependencies, derivedNames)
  }

  /// Whether the client may learn of the account, by its own name or one of those.
  private func isShown(_ account: String) -> Bool {
    dependencies.limits.allows(account: account) || derivedNames(account).contains(where: dependencies.limits.allows)
  }

  var canWatch: Bool { state.withLock { $0.canWatch == true } }

  /// Notices the changes of other processes from now on, and reports them if the client wants that.
  func start() {
    let reports = dependencies.reportsChanges()
    let (watches, begins) = state.withLock { state in
      defer { (state.canWatch, state.isReporting) = (state.canWatch ?? false, state.isReporting || reports) }
      return (state.canWatch == nil, reports && !state.isReporting)
    }
    if watches {
      do throws(OAuthFailure) {
        try dependencies.store.watch { [weak self] account in self?.storeChanged(account) }
        state.withLock { $0.canWatch = true }
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

  /// Milliseconds. A process of one request has ended by then. The kernel needs up to 15 to end a watch, which is longer than the request.
  private static let pause = 200

  /// Does the same in a moment. An account that the client has seen by now is compared with what it has seen.
  func startSoon() {
    if isDue.exchange(true, ordering: .relaxed) { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.pause)) { [weak self] in self?.start() }
  }

  private func storeChanged(_ account: String?) {
    queue.async { [self] in
      let (isReporting, waiting) = state.withLock { state in
        (state.isReporting, state.notices.values.filter { account == nil || AccountKey($0.account) == account.map(AccountKey.init) })
      }
      // The later changes are compared with this listing.
      if account == nil, isReporting { lookAtAll().wait() }
      // A store may remember what it has read. Looking makes it read again.
      if isReporting, let account { compareStored(account) } else { waiting.forEach { compareStored($0.account) } }
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

  /// Compares an account's grant with the last one. Reads the store on this thread.
  private func compareStored(_ account: String) {
    guard isShown(account) else { return }
    var isCompared = false
    while !isCompared {
      let (step, found) = (state.withLock { $0.entries[.init(account)]?.step }, read(account))
      isCompared = state.withLock { state in
        // Otherwise the account changed meanwhile.
        let isUnchanged = state.entries[.init(account)]?.step == step
        if isUnchanged { enter(account, found, .elsewhere, &state) }
        return isUnchanged
      }
    }
  }

  private func read(_ account: String) -> StoredState {
    do throws(OAuthFailure) {
      return StoredState(try dependencies.store.examine(account)?.grant)
    } catch {
      let reason = error.message
      dependencies.log(.init(.warning, "a change of \(account) is not reported, because its grant cannot be read: \(reason)"))
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
  func list() async throws(OAuthFailure) -> [ListedAccount] {
    // The store remembers what a look has read. Two at the same time would read every grant twice.
    await state.withLock { $0.look }?.value
    return try await listAndCompare()
  }

  /// Lists the accounts, and compares their grants with the last ones.
  private func listAndCompare() async throws(OAuthFailure) -> [ListedAccount] {
    let start = state.withLock { $0.step }
    let listed = try await dependencies.store.list()
    guard dependencies.reportsChanges() else { return listed }
    let again = state.withLock { state in
      var again: [String] = []
      var present: Set<AccountKey> = []
      func compare(_ account: String, _ found: StoredState) {
        if state.entries[.init(account)]?.step ?? 0 > start { return again.append(account) }
        enter(account, found, .elsewhere, &state)
      }
      for each in listed where isShown(each.account) {
        present.insert(AccountKey(each.account))
        compare(each.account, each.stored.map { StoredState($0.grant) } ?? .unread)
      }
      for (key, entry) in state.entries where !present.contains(key) { compare(entry.account, .noGrant) }
      state.isComplete = true
      return again
    }
    for account in again { compareStored(account) }
    return listed
  }

  /// Remembers what a client learns before the first listing. A later difference is then a change.
  func baseline(_ account: String, _ stored: Grant?) {
    guard dependencies.reportsChanges() else { return }
    state.withLock { state in
      guard !state.isComplete, state.entries[.init(account)] == nil else { return }
      enter(account, StoredState(stored), .elsewhere, &state)
    }
  }

  /// What a caller has read of an account, and the ledger's step before that.
  typealias Seen = (state: StoredState?, step: Int)

  var step: Int { state.withLock { $0.step } }

  /// Enters what this process is about to store. What the caller has seen is another process's change until then, unless the account has changed since.
  func expect(_ account: String, _ new: StoredState, replacing seen: Seen) {
    state.withLock { state in
      if let old = seen.state, state.entries[.init(account)]?.step ?? 0 <= seen.step, isShown(account) {
        enter(account, old, .elsewhere, &state)
      }
      state.step += 1
      var entry = state.entries[.init(account)] ?? Entry(account: account, last: state.isComplete ? .noGrant : nil, step: 0)
      entry.step = state.step
      entry.expected.append(new)
      state.entries[.init(account)] = entry
    }
  }

  /// Enters that what was expected is stored, and reports that; a removal as `removal`. With `failed`, nothing was stored.
  func record(_ account: String, _ new: StoredState, failed: Bool = false, removal: AccountEvent.Change = .removed) {
    state.withLock { state in
      state.step += 1
      guard var entry = state.entries[.init(account)], let place = entry.expected.firstIndex(of: new) else { return }
      entry.expected.remove(at: place)
      entry.step = state.step
      state.entries[.init(account)] = dependencies.reportsChanges() ? entry : nil
      if !failed, dependencies.reportsChanges() { enter(account, new, .here, &state, removal: removal) }
    }
  }

  /// Remembers what is stored, and reports the difference. Events are sent under the lock, which keeps them in order.
  private func enter(
    _ account: String, _ found: StoredState, _ origin: AccountEvent.Origin, _ state: inout State, removal: AccountEvent.Change = .removed
  ) {
    var entry = state.entries[.init(account)] ?? Entry(account: account, last: state.isComplete ? .noGrant : nil, step: 0)
    // Another look has found what this process is storing. `record` reports it.
    if origin == .elsewhere, entry.expected.contains(found) { return }
    let last = entry.last
    state.step += 1
    // A grant that cannot be read now may be read again later. It is then compared with the last one that was read.
    (entry.last, entry.step) = (found == .unread ? last ?? .unread : found, state.step)
    state.entries[.init(account)] = entry
    guard let change = last?.change(to: found), dependencies.reportsChanges() else { return }
    let shown = change == .removed ? removal : change
    for name in [account] + derivedNames(account) where dependencies.limits.allows(account: name) {
      dependencies.emit(AccountEvent(account: name, requestID: nil, kind: .changed(shown, by: origin)))
    }
  }
}
