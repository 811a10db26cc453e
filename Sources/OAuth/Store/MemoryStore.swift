import Platform
import Synchronization

/// Stores grants in memory until the process ends.
package final class MemoryStore: GrantStore {
  private let grants = Mutex<[AccountKey: Grant]>([:])
  /// How many grants have been written.
  private let writes = Atomic<Int>(0)
  private let locked = Mutex<Set<AccountKey>>([])

  package init() {}

  package func read(_ account: String) -> Grant? { grants.withLock { $0[.init(account)] } }
  package func news(of account: String) -> @Sendable () -> Bool {
    let last = LastSeen<Int>()
    return { [self] in last.isNew(writes.load(ordering: .acquiring)) }
  }

  package func write(_ grant: Grant) {
    grants.withLock { $0[.init(grant.account)] = grant }
    writes.add(1, ordering: .releasing)
  }

  package func remove(_ account: String) { grants.withLock { _ = $0.removeValue(forKey: .init(account)) } }
  package func accounts() -> [String] { grants.withLock { $0.values.map(\.account).sorted() } }
  /// No other process sees this memory, but a sign-in and a refresh of this process must take turns as with files.
  package func lock(_ account: String) async throws -> GrantLock {
    while !locked.withLock({ $0.insert(.init(account)).inserted }) { try await Pause.sleep(milliseconds: 5) }
    return GrantLock { [weak self] in self?.locked.withLock { _ = $0.remove(.init(account)) } }
  }
}
