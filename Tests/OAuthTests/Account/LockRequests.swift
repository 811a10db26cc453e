import OAuthCore
import TestSupport

@testable import OAuth
@testable import Platform

/// A store that counts the requests for locks, also those that still wait.
struct LockRequests: GrantStore {
  let store: any GrantStore
  let count = EventCount()

  func lock(_ account: String) async throws -> GrantLock {
    count.add()
    return try await store.lock(account)
  }

  func read(_ account: String) throws(OAuthFailure) -> Grant? { try store.read(account) }
  func summary(of account: String) throws(OAuthFailure) -> AccountSummary? { try store.summary(of: account) }
  func news(of account: String) -> @Sendable () -> Bool { store.news(of: account) }
  func write(_ grant: Grant) async throws(OAuthFailure) { try await store.write(grant) }
  func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation { try await store.reserve(for: grant) }
  func remove(_ account: String) async throws(OAuthFailure) { try await store.remove(account) }
  func accounts() throws(OAuthFailure) -> [String] { try store.accounts() }
  func makeReady() async throws(OAuthFailure) { try await store.makeReady() }
  func browserLock(forPageOf account: String, apart: Int?) async -> BrowserLock {
    await store.browserLock(forPageOf: account, apart: apart)
  }
}
