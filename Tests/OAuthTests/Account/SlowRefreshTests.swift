import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A token endpoint whose answer comes after the callers have given up. The answer may hold the only valid refresh token.
struct SlowRefreshTests {
  /// Answers each request when the test says so.
  private final class SlowServer: Sendable {
    private let state = Mutex<(requests: [HTTPRequest], gates: [Promise<HTTPResponse>])>(([], []))

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    var client: Server {
      Server { [self] request throws(HTTPFailure) in
        let gate = Promise<HTTPResponse>()
        state.withLock {
          $0.requests.append(request)
          $0.gates.append(gate)
        }
        do { return try await gate.value() } catch { throw .cancelled }
      }
    }

    /// Answers the latest request.
    func answer(_ text: String, status: Int = 200) { state.withLock { $0.gates.last }?.settle(.success(.json(text, status: status))) }
  }

  private static let fresh = #"{"access_token":"late","refresh_token":"refresh-late","expires_in":3600}"#

  private let slow = SlowServer()
  private let stage: Stage

  init() { stage = Stage(slow.client) }

  private func call() -> Task<Secret?, any Error> { Task { try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken } }

  @Test func anAnswerAfterTheCallersHaveGivenUpIsStored() async throws {
    try await stage.keep(expiresIn: 0)
    let first = call()
    #expect(await soon { slow.requests.count == 1 })
    #expect(slow.requests[0].timeout == 50)
    let joined = call()
    // Each caller waits for the refresh and for the end of its own time.
    try await stage.clock.pauses(atLeast: 4)
    stage.clock.advance(30)
    for caller in [first, joined] {
      let failure = await failureOf { try await caller.value }
      #expect(failure?.kind == .timedOut && failure?.isRetryable == true && failure?["host"] == "id.example")
    }
    let late = call()
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(5)
    slow.answer(Self.fresh)
    #expect(try await late.value == Secret("late"))
    #expect(try stage.store.read("a")?.refreshToken == Secret("refresh-late"))
    #expect(slow.requests.count == 1)
    #expect(stage.told == ["refreshed, new token"])
  }

  @Test func aTokenThatIsStillValidIsUsedMeanwhile() async throws {
    try await stage.keep { grant in
      grant.provider = .object(Stage.provider + [.init("renewWithin", .integer(1800))])
      grant.issuedAt -= 3000
      grant.expiresAt = stage.clock.now + 600
    }
    let caller = call()
    #expect(await soon { slow.requests.count == 1 })
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(30)
    #expect(try await caller.value == Secret("access-1"))
    slow.answer(Self.fresh)
    await stage.accounts.finishExchanges(within: 5)
    #expect(try stage.store.read("a")?.accessToken == Secret("late"))
  }

  /// The second one is sent only if its answer has 30 s: it may be the one that replaces the refresh token.
  @Test(arguments: [20, 28]) func twoRequestsShareTheTime(seconds: Int) async throws {
    let provider = ProviderCatalog.merge([.init("clientAuthentication", "probe")], over: Stage.provider)
    try await stage.keep(expiresIn: 0) { $0.provider = .object(provider) }
    let refresh = Task { try await stage.accounts.refresh("a", force: true, requestID: nil) }
    #expect(await soon { slow.requests.count == 1 })
    stage.clock.advance(seconds)
    slow.answer(#"{"error":"invalid_client"}"#, status: 401)
    if seconds == 20 {
      #expect(await soon { slow.requests.count == 2 })
      #expect(slow.requests[1].timeout == 30)
      slow.answer(Self.fresh)
      #expect(try await refresh.value.refreshed)
    } else {
      #expect(await failureOf { try await refresh.value }?.kind == .timedOut)
      #expect(slow.requests.count == 1)
    }
  }
}
