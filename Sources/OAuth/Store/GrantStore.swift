import OAuthCore

/// Stores the grants: in files normally, in memory if nothing may remain.
package protocol GrantStore: Sendable {
  /// Returns the account's grant, or nil. Fast and without a lock, because a write replaces a grant in one step.
  func read(_ account: String) throws(OAuthFailure) -> Grant?
  /// Returns what the account's state shows of its grant, or nil. Does not copy the grant, because editors ask often.
  func summary(of account: String) throws(OAuthFailure) -> AccountSummary?
  /// Returns a function that reports whether the account's grant may have changed since its last call. Its first call returns true.
  /// The function is fast, and is called on a thread that tasks do not share.
  func news(of account: String) -> @Sendable () -> Bool
  /// Writes the grant. Returns when it would survive a power cut.
  func write(_ grant: Grant) async throws(OAuthFailure)
  /// Reserves, before a refresh is sent, everything that writing its result needs. Throws if the result could not be written.
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation
  /// Removes the account's grant, if there is one.
  func remove(_ account: String) async throws(OAuthFailure)
  /// Returns the names of all accounts with a grant, sorted.
  func accounts() throws(OAuthFailure) -> [String]
  /// Returns every account with a grant, sorted. A grant that cannot be read hides no other.
  func list() async throws(OAuthFailure) -> [ListedGrant]
  /// Waits at most a second for what the store still writes without being asked. To be called when the process ends.
  func finish()
  /// Checks that the store is writable before the user is asked to sign in.
  func makeReady() async throws(OAuthFailure)
  /// Locks the account against changes by other processes. Waits at most as long as a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
  /// Returns the process that holds the account's lock, if it is known.
  func lockHolder(of account: String) -> LockHolder?
  /// Requests the turn to open the account's page in a browser. Several processes that are asked at the same time open one page together.
  ///
  /// A page that another process has opened counts for `apart` seconds; with nil it counts while it is open.
  func browserLock(forPageOf account: String, apart: Int?) async -> BrowserLock
}

extension GrantStore {
  package func list() async throws(OAuthFailure) -> [ListedGrant] {
    var found: [ListedGrant] = []
    for account in try accounts() {
      do throws(OAuthFailure) {
        if let grant = try read(account) { found.append(ListedGrant(AccountSummary(grant))) }
      } catch {
        found.append(ListedGrant(account: account, problem: error))
      }
    }
    return found
  }

  package func lockHolder(of account: String) -> LockHolder? { nil }

  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    GrantReservation { grant async throws(OAuthFailure) in try await self.write(grant) }
  }

  package func finish() {}
  package func makeReady() {}
  package func browserLock(forPageOf account: String, apart: Int?) async -> BrowserLock { .ours(nil) }
  package func summary(of account: String) throws(OAuthFailure) -> AccountSummary? { try read(account).map(AccountSummary.init) }
  package func news(of account: String) -> @Sendable () -> Bool { { true } }
}
