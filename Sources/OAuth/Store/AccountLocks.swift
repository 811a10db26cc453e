/// Keeps other processes, and other requests of this one, from changing an account.
package protocol AccountLocks: Sendable {
  /// Locks the account. Waits at most as long as a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
  /// Returns the process that holds the account's lock, if it is known.
  func lockHolder(of account: String) -> LockHolder?
}

extension AccountLocks {
  package func lockHolder(of account: String) -> LockHolder? { nil }
}
