import OAuthCore
import Platform
import Synchronization

/// Stores grants in memory until the process ends. A process without a folder for its grants gets one that stores nothing.
package final class MemoryStore: AccountStore {
  /// For a process without a home directory.
  package static let homeless = OAuthFailure(
    .storageFailure, "there is no home directory for the grants: set HOME or XDG_DATA_HOME, or name a folder with --store")

  private struct State {
    var grants: [AccountKey: StoredGrant] = [:]
    /// When a credential of an account was last used, in Unix seconds.
    var uses: [AccountKey: Int] = [:]
    var watchers: [@Sendable (_ account: String?) -> Void] = []
    /// The locked accounts. Each promise is settled when its lock is free.
    var locks: [AccountKey: Promise<Void>] = [:]
  }

  private let state = Mutex(State())
  /// Why nothing can be stored; nil if grants can.
  private let rejection: OAuthFailure?
  private let clock: Clock

  package init(rejecting rejection: OAuthFailure? = nil, clock: Clock = .system) { (self.rejection, self.clock) = (rejection, clock) }

  package func find(_ account: String) -> StoredGrant? { state.withLock { $0.grants[.init(account)] } }
  package func readAtOnce(_ account: String) -> StoredGrant?? { .some(find(account)) }

  package func write(_ grant: Grant) throws(OAuthFailure) {
    try makeReady()
    let stored = StoredGrant(grant)
    change(grant.account) { $0.grants[.init(grant.account)] = stored }
  }

  package func remove(_ account: String) {
    change(account) { state in
      state.grants[.init(account)] = nil
      state.uses[.init(account)] = nil
    }
  }

  private func change(_ account: String, _ body: (inout State) -> Void) {
    let watchers = state.withLock { state in
      body(&state)
      return state.watchers
    }
    for watcher in watchers { watcher(account) }
  }

  package func list() -> [ListedAccount] {
    state.withLock { state in state.grants.map { ListedAccount($0.value, usedAt: state.uses[$0.key]) } }
  }

  package func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) { state.withLock { $0.watchers.append(onChange) } }

  package func wasUsed(_ account: String) {
    let now = clock.now
    state.withLock { $0.uses[.init(account)] = now }
  }

  package func lastUse(of account: String) -> Int? { state.withLock { $0.uses[.init(account)] } }

  package func makeReady() throws(OAuthFailure) { if let rejection { throw rejection } }

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
