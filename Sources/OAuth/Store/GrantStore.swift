/// Where grants are kept: files in the program's normal life, memory when nothing shall stay.
package protocol GrantStore: Sendable {
  /// The account's grant, or nil. Quick and without a lock, since a grant is replaced in one step.
  func read(_ account: String) throws(OAuthFailure) -> Grant?
  /// The same for the answers to requests that arrived together: one look at the file is good for all of them.
  ///
  /// It is made after they were sent and before they are answered, so that each is told what was so while it was open.
  func glance(_ account: String) throws(OAuthFailure) -> StoredGrant?
  /// To be called when more requests have arrived: what was seen before is no answer to them.
  func endGlance()
  /// Returns a function that says whether the account's grant may have changed since its last call; its first call returns true. It is quick, and
  /// called on a thread that tasks do not share.
  func news(of account: String) -> @Sendable () -> Bool
  /// Returns when the grant would survive a power cut.
  func write(_ grant: Grant) async throws(OAuthFailure)
  /// Takes up, before a refresh is sent, what writing its outcome in the place of `grant` needs. Throws what would keep it from being written.
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation
  /// Forgets the account; nothing happens when there is none.
  func remove(_ account: String) async throws(OAuthFailure)
  /// The names of all accounts with a grant, sorted.
  func accounts() throws(OAuthFailure) -> [String]
  /// Every account with a grant, sorted; a grant that cannot be read hides no other.
  func list() async throws(OAuthFailure) -> [ListedGrant]
  /// Sees to it that a grant could be kept, as far as that can be told before there is one: somebody who has signed in shall not learn then that it
  /// was in vain.
  func makeReady() async throws(OAuthFailure)
  /// Keeps every other process away from changing this account until the lock is let go; waits while a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
  /// The process that has the account's lock, as far as that can be told.
  func lockHolder(of account: String) -> LockHolder?
  /// Asks for the turn to open the account's page in a browser, so that several processes that are asked at once open one between them.
  ///
  /// A page that another process has open counts for `apart` seconds after it was opened; for as long as it is open where that is nil.
  func turn(toOpenPageOf account: String, apart: Int?) async -> PageTurn
}

/// Who opens an account's page.
package enum PageTurn: Sendable {
  /// The one who asks, and it is his until the lock is let go or the process ends; nil where he shares it, or nobody can tell.
  case ours(GrantLock?)
  /// Another process has opened it.
  case anothers
}

extension GrantStore {
  package func list() async throws(OAuthFailure) -> [ListedGrant] {
    var found: [ListedGrant] = []
    for account in try accounts() {
      do throws(OAuthFailure) {
        if let grant = try read(account) { found.append(ListedGrant(StoredGrant(grant))) }
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

  package func makeReady() {}
  package func turn(toOpenPageOf account: String, apart: Int?) async -> PageTurn { .ours(nil) }
  package func glance(_ account: String) throws(OAuthFailure) -> StoredGrant? { try read(account).map(StoredGrant.init) }
  package func endGlance() {}
  package func news(of account: String) -> @Sendable () -> Bool { { true } }
}

/// Holds an account's lock for as long as it lives.
package final class GrantLock: Sendable {
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}

/// What writing a refreshed grant needs, taken before the request is sent: a refresh token that the server has replaced must reach the disk.
package struct GrantReservation: Sendable {
  /// The same as `GrantStore.write`, once.
  package let write: @Sendable (Grant) async throws(OAuthFailure) -> Void

  package init(write: @escaping @Sendable (Grant) async throws(OAuthFailure) -> Void) { self.write = write }
}
