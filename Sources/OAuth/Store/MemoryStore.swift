import Synchronization

/// Grants that end with the process.
package final class MemoryStore: GrantStore {
  private let grants = Mutex<[String: Grant]>([:])

  package init() {}

  package func read(_ account: String) -> Grant? { grants.withLock { $0[account] } }
  package func write(_ grant: Grant) { grants.withLock { $0[grant.account] = grant } }
  package func remove(_ account: String) { grants.withLock { _ = $0.removeValue(forKey: account) } }
  package func accounts() -> [String] { grants.withLock { $0.keys.sorted() } }
  /// No other process sees this memory, so there is nobody to keep away.
  package func lock(_ account: String) -> GrantLock { GrantLock {} }
}
