import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// A store whose disk rejects writes on demand.
final class StubbornStore: AccountStore {
  private let memory = MemoryStore()
  private let rejects = Mutex(false)

  func reject(_ value: Bool) { rejects.withLock { $0 = value } }
  func find(_ account: String) -> StoredGrant? { memory.find(account) }
  func read(_ account: String) -> Grant? { memory.read(account) }
  func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) { memory.watch(onChange) }
  func list() -> [ListedAccount] { memory.list() }
  func makeReady() {}
  func remove(_ account: String) { memory.remove(account) }
  func lock(_ account: String) async throws -> GrantLock { try await memory.lock(account) }

  func write(_ grant: Grant) throws(OAuthFailure) {
    if rejects.withLock({ $0 }) { throw OAuthFailure(.storageFailure, "the disk is full", isRetryable: true) }
    try memory.write(grant)
  }
}

struct RefreshTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  @Test func nothingGrowsByTheNamesThatAClientSends() async throws {
    for number in 0..<50 {
      _ = try? await stage.accounts.refresh("unknown-\(number)", validity: 0, force: true, requestID: nil)
      stage.clock.advance(301)
    }
    #expect(stage.accounts.lives.all.count <= 1)
  }

  @Test func theOldRefreshTokenStaysIfNoneIsReturned() async throws {
    try await stage.keep(expiresIn: 0)
    server.add(body: #"{"access_token":"access-2"}"#)
    _ = try await stage.accounts.usableGrant("a", requestID: nil)
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.refreshToken == Secret("refresh-1") && grant.grantedScopes == ["read"])
    #expect(grant.expiresAt == nil && grant.generation == 2)
    #expect(stage.told == ["refreshed"])
  }

  @Test(arguments: [408, 429, 500, 503, 400])
  func temporaryFailuresKeepTheGrant(status: Int) async throws {
    try await stage.keep(expiresIn: 0)
    server.add(status: status, body: status == 400 ? "<html>Bad Request</html>" : "")
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?.kind == .authorizationServerError)
    #expect(try stage.store.read("a")?.canRefresh(at: stage.clock.now) == true)
    // Nothing is sent during the pause that 429 and 503 ask for.
    stage.clock.advance(2)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
  }

  @Test func aBrokenConnectionKeepsTheGrant() async throws {
    try await stage.keep(expiresIn: 0)
    server.add { _ in .failure(.network(host: "id.example", cause: "broken", answered: false)) }
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?.kind == .networkFailure)
    #expect(try stage.store.read("a")?.isRejected == false)
  }

  @Test func aRejectedTokenIsNeverSentAgain() async throws {
    try await stage.keep(expiresIn: 0)
    server.add(status: 400, body: #"{"error":"invalid_grant","error_description":"refresh-1 is dead"}"#)
    for _ in 0..<2 {
      let failure = await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }
      #expect(failure?.kind == .signInRequired && failure?["reason"] == "refreshRefused")
      #expect(!"\(String(describing: failure))".contains("refresh-1"))
    }
    #expect(server.requests.count == 1)
  }

  @Test func aValidTokenIsLeftAlone() async throws {
    try await stage.keep(expiresIn: 100)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
    server.add(body: #"{"access_token":"access-2","expires_in":100}"#)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil).refreshed)
    // A number above half the life counts as half.
    #expect(try await stage.accounts.refresh("a", validity: 100, force: false, requestID: nil).refreshed == false)
    #expect(server.left == 0)
  }

  @Test func withoutAGrantASignInIsRequired() async throws {
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?["reason"] == "noGrant")
    try await stage.keep(expiresIn: 0, refreshToken: nil)
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?["reason"] == "expired")
    #expect(server.requests.isEmpty)
  }

  @Test func theNewTokenIsStoredBeforeTheEvent() async throws {
    let store = MemoryStore()
    let seen = Mutex<Secret?>(nil)
    let server = server
    let stage = Stage(server, store: store) { event in
      if case .refreshed = event.kind { seen.withLock { $0 = store.read("a")?.refreshToken } }
    }
    try await stage.keep(expiresIn: 0)
    server.add(body: #"{"access_token":"access-2","refresh_token":"refresh-2"}"#)
    _ = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(seen.withLock { $0 } == Secret("refresh-2"))
  }
}
