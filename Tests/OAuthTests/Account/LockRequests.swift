import OAuthCore
import TestSupport

@testable import OAuth
@testable import Platform
@testable import Store

/// A store that counts the requests for locks, also those that still wait.
struct LockRequests: AccountStore {
  let store: any AccountStore
  let count = EventCount()

  func lock(_ account: String) async throws -> GrantLock {
    count.add()
    return try await store.lock(account)
  }

  func lockHolder(of account: String) -> LockHolder? { store.lockHolder(of: account) }
  func find(_ account: String) throws(OAuthFailure) -> StoredGrant? { try store.find(account) }
  func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) throws(OAuthFailure) { try store.watch(onChange) }
  func write(_ grant: Grant) async throws(OAuthFailure) { try await store.write(grant) }
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation { try await store.reserve(for: grant) }
  func remove(_ account: String) async throws(OAuthFailure) { try await store.remove(account) }
  func list() async throws(OAuthFailure) -> [ListedAccount] { try await store.list() }
  func makeReady() async throws(OAuthFailure) { try await store.makeReady() }
}
