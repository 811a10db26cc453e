import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Waits for a sign-in, joins it and abandons it.
struct AwaitSignInTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  @Test func awaitingEndsAfterItsOwnTime() async throws {
    server.add(body: #"{"access_token":"A"}"#)
    let (prompt, state) = try await stage.begin()
    #expect(await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 0) }?.kind == .timedOut)
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    for _ in 0..<2 { #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: nil)?.via == .signedIn) }
  }

  @Test func anUnknownIdReturnsNil() async throws {
    #expect(try await stage.accounts.awaitSignIn(id: "unknown", timeout: 1) == nil)
  }

  @Test func aSignInThatIsNotFinishedTimesOut() async throws {
    var request = Stage.request()
    request.timeout = 1
    let (prompt, state) = try await stage.begin(request)
    let waiting = Task { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }
    #expect(await soon { stage.awaiting == 1 })
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(1)
    #expect(await failureOf { try await waiting.value }?.kind == .timedOut)
    #expect(await isReported { try await waiting.value })
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)") == false)
    #expect(stage.told == ["requested", "abandoned timedOut"])
    #expect(server.requests.isEmpty)
  }

  /// A client that signs in right after the end gets a new sign-in, not the abandoned one.
  @Test func anAbandonedSignInIsNotJoined() async throws {
    let (prompt, _) = try await stage.begin()
    await stage.accounts.abandonUnawaitedSignIns()
    #expect(stage.told == ["requested", "abandoned ended"])
    let (next, _) = try await stage.begin()
    #expect(next.id != prompt.id)
    await #expect(throws: CancellationError.self) { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }
    await stage.accounts.abandonAllSignIns()
  }

  @Test func theLastWhoWaitsTakesTheSignInAlong() async throws {
    var request = Stage.request()
    request.waits = true
    let waiting = [request, request].map { request in Task { try await stage.accounts.authorize(request) } }
    #expect(await soon { stage.awaiting == 2 && stage.told == ["requested", "requested"] })
    waiting[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[0].value }
    #expect(stage.told == ["requested", "requested"])
    waiting[1].cancel()
    await #expect(throws: CancellationError.self) { try await waiting[1].value }
    #expect(stage.told == ["requested", "requested", "abandoned cancelled"])
  }

  /// A caller that does not wait expects the sign-in to stay open.
  @Test func aCallerThatDoesNotWaitKeepsTheSignInOpen() async throws {
    var request = Stage.request()
    request.waits = true
    let waiting = Task { [request] in try await stage.accounts.authorize(request) }
    #expect(await soon { stage.told == ["requested"] })
    let (prompt, _) = try await stage.begin()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(stage.accounts.openSignIn("a")?.id == prompt.id)
    await stage.accounts.abandonUnawaitedSignIns()
    #expect(stage.accounts.openSignIn("a") == nil)
  }
}
