import OAuthCore
import Platform
import Synchronization

/// Stores grants in memory until the process ends. A process without a folder for its grants gets one that stores nothing.
package final class MemoryStore: AccountStore {
  /// For a process without a home directory.
  package static let homeless = OAuthFailure(
    .storageFailure, "there is no home directory for the grants: set HOME or XDG_DATA_HOME, or name a folder with --store")

  private struct State {
    var grants: [AccountKey: (stored: StoredGrant, version: Int)] = [:]
    var writes = 0
    /// The locked accounts. Each promise is settled when its lock is free.
    var locks: [AccountKey: Promise<Void>] = [:]
  }

  private let state = Mutex(State())
  /// Why nothing can be stored; nil if grants can.
  private let rejection: OAuthFailure?

  package init(rejecting rejection: OAuthFailure? = nil) { self.rejection = rejection }

  package func find(_ account: String) -> StoredGrant? { state.withLock { $0.grants[.init(account)]?.stored } }
  package func known(_ account: String) -> StoredGrant?? { .some(find(account)) }
  package func version(of account: String) -> String? { state.withLock { $0.grants[.init(account)].map { "\($0.version)" } } }

  package func write(_ grant: Grant) throws(OAuthFailure) {
    try makeReady()
    let stored = StoredGrant(grant)
    state.withLock { state in
      state.writes += 1
      state.grants[.init(grant.account)] = (stored, state.writes)
    }
  }

  package func remove(_ account: String) { state.withLock { _ = $0.grants.removeValue(forKey: .init(account)) } }

  package func list() -> [AccountSummary.Listed] {
    state.withLock { $0.grants.values.map { AccountSummary.Listed($0.stored.summary) } }.sorted { $0.account < $1.account }
  }

  package func makeReady() throws(OAuthFailure) {
    if let rejection { throw rejection }
  }

  /// No other process sees this memory, but a sign-in and a refresh of this process must take turns as with files.
  package func lock(_ account: String) async throws -> GrantLock {
    if let rejection { throw rejection.of(account) }
    let key = AccountKey(account)
    let own = Promise<Void>()
    while true {
      let other = state.withLock { state -> Promise<Void>? in
        if let other = state.locks[key] { return other }
        state.locks[key] = own
        return nil
      }
      guard let other else { break }
      try await other.value()
    }
    return GrantLock { [weak self] in
      self?.state.withLock { $0.locks[key] = nil }
      own.settle(.success(()))
    }
  }
}
