import OAuthCore

/// Everything that the process needs from a store of grants: storing, locking, noticing changes and recording uses.
package typealias AccountStore = GrantStore & AccountLocks & AccountWatcher & AccountUses

/// Writes one grant, like `GrantStore.write`, with what was reserved for it. Can be called once.
package typealias GrantReservation = @Sendable (Grant) async throws(OAuthFailure) -> Void

/// Stores the grants: in files normally, in memory if nothing may remain.
package protocol GrantStore: Sendable {
  /// Returns the account's grant with its summary, or nil. Fast and without a lock, because a write replaces a grant in one step.
  func find(_ account: String) throws(OAuthFailure) -> StoredGrant?
  /// Returns the same. A folder that hangs stops only this task.
  func load(_ account: String) async throws(OAuthFailure) -> StoredGrant?
  /// Returns what `find` would return, if neither a program nor another machine has to be asked for it; nil otherwise.
  func known(_ account: String) throws(OAuthFailure) -> StoredGrant??
  /// Returns what `find` would return, and leaves a damaged grant where it is.
  func examine(_ account: String) throws(OAuthFailure) -> StoredGrant?
  /// Writes the grant. Returns when it would survive a power cut.
  func write(_ grant: Grant) async throws(OAuthFailure)
  /// Reserves, before a refresh is sent, everything that writing its result needs. A refresh token that the server has rotated must not be lost.
  /// Throws if the result could not be written.
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation
  /// Removes the account's grant, if there is one.
  func remove(_ account: String) async throws(OAuthFailure)
  /// Returns every account with a grant, sorted. A grant that cannot be read hides no other.
  func list() async throws(OAuthFailure) -> [AccountSummary.Listed]
  /// Returns what identifies the key that seals the grants, or would seal the first; nil if there is none yet.
  func keyIdentifier() async throws(OAuthFailure) -> String?
  /// Loads the store's key if it is not beside the grants, and the account's grant if the store is a database. A use of the store reports a
  /// failure.
  func prepare(_ account: String?) async
  /// Where the store's key is; nil if it has none or if that is unknown.
  var keySource: KeySource? { get }
  /// Moves the store's key, and seals every grant with a new one. Returns the number of grants.
  func rekey(to source: KeySource) async throws -> Int
  /// Waits at the end of the process for what the store still writes in the background.
  func finish()
  /// Checks that the store is writable before the user is asked to sign in.
  func makeReady() async throws(OAuthFailure)
}

extension GrantStore {
  package func load(_ account: String) async throws(OAuthFailure) -> StoredGrant? { try find(account) }

  package func known(_ account: String) throws(OAuthFailure) -> StoredGrant?? { nil }

  package func keyIdentifier() async throws(OAuthFailure) -> String? { nil }

  package func prepare(_ account: String?) async {}
  package var keySource: KeySource? { nil }
  package func rekey(to source: KeySource) async throws -> Int {
    throw OAuthFailure(.storageFailure, "a store in memory has no key")
  }
  package func finish() {}

  /// Returns the account's grant, or nil.
  package func read(_ account: String) throws(OAuthFailure) -> Grant? { try find(account)?.grant }

  package func examine(_ account: String) throws(OAuthFailure) -> StoredGrant? { try find(account) }

  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    { grant async throws(OAuthFailure) in try await self.write(grant) }
  }
}
