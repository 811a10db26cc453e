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
  /// Returns when the grant would survive a power cut.
  func write(_ grant: Grant) async throws(OAuthFailure)
  /// Forgets the account; nothing happens when there is none.
  func remove(_ account: String) async throws(OAuthFailure)
  /// The names of all accounts with a grant, sorted.
  func accounts() throws(OAuthFailure) -> [String]
  /// Sees to it that a grant could be kept, as far as that can be told before there is one: somebody who has signed in shall not learn then that it
  /// was in vain.
  func makeReady() async throws(OAuthFailure)
  /// Keeps every other process away from changing this account until the lock is let go; waits while a refresh may take, or until cancelled.
  func lock(_ account: String) async throws -> GrantLock
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
  package func makeReady() {}
  package func turn(toOpenPageOf account: String, apart: Int?) async -> PageTurn { .ours(nil) }
  package func glance(_ account: String) throws(OAuthFailure) -> StoredGrant? { try read(account).map(StoredGrant.init) }
  package func endGlance() {}
}

/// Holds an account's lock for as long as it lives.
package final class GrantLock: Sendable {
  private let release: @Sendable () -> Void

  package init(release: @escaping @Sendable () -> Void) { self.release = release }

  deinit { release() }
}
