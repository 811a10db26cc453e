import Platform
import Synchronization

/// Stores grants in memory until the process ends.
package final class MemoryStore: GrantStore {
  private let grants = Mutex<[AccountKey: Grant]>([:])
  /// How many grants have been written.
  private let writes = Atomic<Int>(0)
  /// The locked accounts. Each promise is settled when its lock is free.
  private let locks = Mutex<[AccountKey: Promise<Void>]>([:])

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
    let key = AccountKey(account)
    let own = Promise<Void>()
    while true {
      let other = locks.withLock { locks -> Promise<Void>? in
        if let other = locks[key] { return other }
        locks[key] = own
        return nil
      }
      guard let other else { break }
      try await other.value()
    }
    return GrantLock { [weak self] in
      self?.locks.withLock { $0[key] = nil }
      own.settle(.success(()))
    }
  }
}
