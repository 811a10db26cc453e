/// Keeps other processes, and other requests of this one, from changing an account.
package protocol AccountLocks: Sendable {
  /// Locks the account. Waits at most as long as a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
  /// The same, to refresh the account's grant. Another machine may have sent a refresh and not yet stored its result; this waits for that.
  func lockForRefresh(_ account: String) async throws -> GrantLock
  /// How long a change of an account may take, in seconds: waiting for its lock, an exchange, and a write.
  var longestChange: Int { get }
  /// Returns the process that holds the account's lock, if it is known.
  func lockHolder(of account: String) -> LockHolder?
}

extension AccountLocks {
  package var longestChange: Int { RefreshTimes.fileLock + RefreshTimes.exchange }
  /// A lock that ends with its process needs no such wait.
  package func lockForRefresh(_ account: String) async throws -> GrantLock { try await lock(account) }
  package func lockHolder(of account: String) -> LockHolder? { nil }
}
