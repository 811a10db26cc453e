import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// A slow refresh, and what happens meanwhile, with a store in memory and one on disk.
struct RefreshRaceTests {
  enum Kind: CaseIterable { case memory, file }

  /// Answers refreshes when the gate opens, and codes at once.
  private final class SlowServer: Sendable {
    let gate = Promise<HTTPResponse>()
    let refreshes = EventCount()

    var client: Server {
      Server { [self] request throws(HTTPFailure) in
        if request.field("grant_type") == "authorization_code" {
          return .json(#"{"access_token":"signed-in","refresh_token":"refresh-new","expires_in":3600}"#)
        }
        refreshes.add()
        do {
          return try await gate.value()
        } catch {
          throw .cancelled
        }
      }
    }

    func answer(_ response: HTTPResponse = .json(#"{"access_token":"late","refresh_token":"refresh-late","expires_in":3600}"#)) {
      gate.settle(.success(response))
    }
  }

  private let slow = SlowServer()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ kind: Kind) -> any AccountStore {
    switch kind {
    case .memory: MemoryStore()
    case .file: FileStore(folder: folder.path, clock: .fixed(1))
    }
  }

  private func stage(_ kind: Kind) async throws -> Stage { try await stage(store(kind)) }

  private func stage(_ store: any AccountStore) async throws -> Stage {
    let stage = Stage(slow.client, store: store)
    try await stage.keep(expiresIn: 0)
    return stage
  }

  @Test(arguments: Kind.allCases)
  func aCallerWhoGoesLeavesTheRefreshToFinish(kind: Kind) async throws {
    let stage = try await stage(kind)
    let caller = Task { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(await soon { slow.refreshes.value == 1 })
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    slow.answer()
    await stage.accounts.finishExchanges(within: 5)
    #expect(try stage.store.read("a")?.refreshToken == Secret("refresh-late"))
    #expect(stage.told == ["refreshed, new token"])
  }

  private static let rejected = HTTPResponse.json(#"{"error":"invalid_grant"}"#, status: 400)

  @Test(arguments: Kind.allCases, [true, false])
  func aSignInDuringASlowRefreshWins(kind: Kind, isRejected: Bool) async throws {
    let stage = try await stage(kind)
    let caller = Task { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(await soon { slow.refreshes.value == 1 })
    let (prompt, state) = try await stage.begin(Stage.request().always())
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    // The sign-in has its tokens and wants to store them.
    #expect(await soon { stage.accounts["a"].life.turn?.waiting == 1 })
    if isRejected { slow.answer(Self.rejected) } else { slow.answer() }
    #expect(try await handling.value)
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
    _ = await caller.result
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.refreshToken == Secret("refresh-new") && grant.accessToken == Secret("signed-in"))
    #expect(!grant.isRejected)
  }

  @Test(arguments: Kind.allCases, [true, false])
  func aSignOutDuringASlowRefreshWins(kind: Kind, isRejected: Bool) async throws {
    let stage = try await stage(kind)
    let caller = Task { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(await soon { slow.refreshes.value == 1 })
    // The sign-out does not wait for the server, which may never answer.
    #expect(try await stage.accounts.signOut("a").wasSignedIn)
    #expect(try stage.store.read("a") == nil)
    if isRejected { slow.answer(Self.rejected) } else { slow.answer() }
    _ = await caller.result
    await stage.accounts.finishExchanges(within: 5)
    #expect(try stage.store.read("a") == nil)
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?["reason"] == "noGrant")
  }

  /// Another process has signed in without the lock. Its grant is used.
  @Test func aNewerGrantIsNotOverwritten() async throws {
    let stage = try await stage(.memory)
    let caller = Task { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(await soon { slow.refreshes.value == 1 })
    try await stage.keep { grant in
      grant.accessToken = Secret("theirs")
      grant.generation = 2
    }
    slow.answer()
    #expect(try await caller.value.grant.accessToken == Secret("theirs"))
    #expect(try stage.store.read("a")?.accessToken == Secret("theirs"))
    #expect(stage.told == [])
  }

  @Test func aRejectionOfAnOutdatedTokenDoesNotEndANewerGrant() async throws {
    let stage = try await stage(.memory)
    let caller = Task { try await stage.accounts.usableGrant("a", requestID: nil) }
    #expect(await soon { slow.refreshes.value == 1 })
    try await stage.keep { $0.generation = 2 }
    slow.answer(Self.rejected)
    _ = await caller.result
    #expect(try stage.store.read("a")?.isRejected == false)
  }
}
