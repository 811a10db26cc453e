import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Sign-ins whose account another process changes while they store their tokens.
struct KeepingRaceTests {
  private let folder: TemporaryFolder
  private let theirs: FileStore

  init() throws {
    folder = try TemporaryFolder()
    theirs = Self.store(folder.path)
  }

  private static func store(_ folder: String, timeoutMilliseconds: Int = 60_000) -> FileStore {
    FileStore(folder: folder, timeoutMilliseconds: timeoutMilliseconds, clock: .fixed(1))
  }

  private static func newer(_ grant: inout Grant, _ generation: Int = 9) {
    grant.accessToken = Secret("theirs")
    grant.refreshToken = Secret("refresh-2")
    grant.generation = generation
  }

  /// During the long-lived exchange another process may refresh, or sign out and in. A new sign-in counts from 1 again.
  @Test(arguments: [9, 1])
  func aLongLivedTokenReplacesNoNewerGrant(generation: Int) async throws {
    let store = MemoryStore()
    let other = Stage(PreparedResponses(), store: store)
    let server = Server { request async throws(HTTPFailure) in
      guard request.url.hasPrefix("https://graph.example/") else { return .json(#"{"access_token":"short-1","expires_in":3600}"#) }
      do { try await other.keep { Self.newer(&$0, generation) } } catch { throw .cancelled }
      return .json(#"{"access_token":"long-1","expires_in":5184000}"#)
    }
    let stage = Stage(server, store: store)
    let (prompt, state) = try await stage.begin(Stage.request(with: LongLivedTests.members))
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
    #expect(store.read("a")?.accessToken == Secret("theirs"))
  }

  /// The answer to `afterSignIn` may also arrive late.
  @Test(arguments: [9, 1])
  func aLookUpReplacesNoNewerGrant(generation: Int) async throws {
    let store = MemoryStore()
    let other = Stage(PreparedResponses(), store: store)
    let server = Server { request async throws(HTTPFailure) in
      guard request.url.hasPrefix("https://api.example/") else { return .json(#"{"access_token":"A1","expires_in":3600}"#) }
      do { try await other.keep { Self.newer(&$0, generation) } } catch { throw .cancelled }
      return .json(#"[{"id":"s-1"}]"#)
    }
    let stage = Stage(server, store: store)
    let lookUp: [JSON.Member] = [.init("afterSignIn", ["url": "https://api.example/sites", "variables": ["site": "0.id"]])]
    let (prompt, state) = try await stage.begin(Stage.request(with: lookUp))
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
    #expect(store.read("a")?.accessToken == Secret("theirs"))
  }

  /// The sign-in waits for the lock while another process refreshes. The old refresh token is spent by then.
  @Test func aStoppedSignInRestoresWhatItReplaced() async throws {
    let (asked, gate) = (EventCount(), Promise<Void>())
    let server = Server { _ async throws(HTTPFailure) in
      asked.add()
      if asked.value == 2 {
        do { try await gate.value() } catch { throw .cancelled }
      }
      return .json(#"{"access_token":"A\#(asked.value)","refresh_token":"R"}"#)
    }
    let locks = LockRequests(store: Self.store(folder.path))
    let stage = Stage(server, store: locks)
    try await stage.keep()
    var request = Stage.request(with: LongLivedTests.members)
    request.waits = true
    request.interaction = .always
    let authorize = Task { [request] in try await stage.accounts.authorize(request) }
    #expect(await soon { stage.told == ["requested"] })
    let lock = Held(try await theirs.lock("a"))
    let page = try #require(stage.accounts.openSignIn("a"))
    let state = try #require(Stage.parameter("state", of: page.url))
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    #expect(await soon { locks.count.value == 1 })
    try await stage.keep { Self.newer(&$0) }
    lock.release()
    #expect(await soon { asked.value == 2 })
    #expect(try stage.store.read("a")?.accessToken == Secret("A1"))
    authorize.cancel()
    await #expect(throws: CancellationError.self) { try await authorize.value }
    #expect(try await handling.value)
    #expect(try stage.store.read("a")?.refreshToken == Secret("refresh-2"))
  }

  /// The user has signed in, so the new tokens are used although the old ones are still on disk.
  @Test func aSignInThatGetsNoLockIsNotLost() async throws {
    let server = PreparedResponses()
    server.add(body: #"{"access_token":"new-1","refresh_token":"new-R","expires_in":3600}"#)
    let stage = Stage(server, store: Self.store(folder.path, timeoutMilliseconds: 50))
    try await stage.keep { $0.generation = 7 }
    var request = Stage.request()
    request.interaction = .always
    let (_, state) = try await stage.begin(request)
    let lock = Held(try await theirs.lock("a"))
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    #expect(await soon { stage.told.last?.hasPrefix("failed") == true })
    #expect(try await stage.accounts["a"].current()?.accessToken == Secret("new-1"))
    // The lock's holder stores the tokens of its refresh.
    try await stage.keep { Self.newer(&$0, 9) }
    lock.release()
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("new-1"))
    #expect(try stage.store.read("a")?.accessToken == Secret("new-1"))
  }
}
