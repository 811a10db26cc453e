import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Requests that are cancelled or time out while a code is exchanged at a server that does not answer.
struct StoppedExchangeTests {
  /// Returns a stage whose server does not answer request `number` and later ones until the gate opens.
  private static func stage(silentFrom number: Int, _ asked: EventCount, _ gate: Promise<Void>) -> Stage {
    Stage(
      Server { [asked, gate] _ throws(HTTPFailure) in
        asked.add()
        if asked.value >= number {
          do { try await gate.value() } catch { throw .cancelled }
        }
        return .json(#"{"access_token":"A\#(asked.value)","refresh_token":"R"}"#)
      })
  }

  private let asked = EventCount()
  private let gate = Promise<Void>()

  private func waiting(_ stage: Stage, with members: [JSON.Member] = [], timeout: Int = 300) -> Task<Authorization, any Error> {
    var request = Stage.request(with: members)
    request.waits = true
    request.timeout = timeout
    return Task { [request] in try await stage.accounts.authorize(request) }
  }

  private func state(_ stage: Stage) throws -> String {
    let prompt = try #require(stage.accounts.openSignIn("a"))
    return try #require(Stage.parameter("state", of: prompt.url))
  }

  @Test func aTimeoutStopsTheExchange() async throws {
    let stage = Self.stage(silentFrom: 1, asked, gate)
    let authorize = waiting(stage, timeout: 1)
    #expect(await soon { stage.awaiting == 1 })
    // The deadlines of the sign-in and of its caller.
    try await stage.clock.pauses(atLeast: 2)
    let state = try state(stage)
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    #expect(await soon { asked.value == 1 })
    stage.clock.advance(1)
    #expect(await failureOf { try await authorize.value }?.kind == .timedOut)
    #expect(try await handling.value)
    #expect(stage.told == ["requested", "abandoned timedOut"])
    #expect(try stage.store.read("a") == nil)
  }

  /// The short-lived token is on disk by then. The grant from before is restored.
  @Test(arguments: [false, true])
  func theGrantFromBeforeIsRestored(hadGrant: Bool) async throws {
    let stage = Self.stage(silentFrom: 2, asked, gate)
    if hadGrant { try await stage.keep(expiresIn: 0, refreshToken: nil) }
    let authorize = waiting(stage, with: LongLivedTests.members)
    #expect(await soon { stage.told == ["requested"] })
    let state = try state(stage)
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    #expect(await soon { asked.value == 2 })
    #expect(try stage.store.read("a")?.accessToken == Secret("A1"))
    authorize.cancel()
    await #expect(throws: CancellationError.self) { try await authorize.value }
    #expect(try await handling.value)
    #expect(stage.told == ["requested", "abandoned cancelled"])
    #expect(try stage.store.read("a")?.accessToken == (hadGrant ? Secret("access-1") : nil))
  }

  /// The process is ending and cancels all waiters. The code is spent, so its exchange continues.
  @Test func theEndOfTheProcessLeavesTheExchange() async throws {
    let stage = Self.stage(silentFrom: 1, asked, gate)
    let authorize = waiting(stage)
    #expect(await soon { stage.told == ["requested"] })
    let state = try state(stage)
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    #expect(await soon { asked.value == 1 })
    await stage.accounts.signIns.abandon(all: true)
    authorize.cancel()
    await #expect(throws: CancellationError.self) { try await authorize.value }
    gate.settle(.success(()))
    #expect(try await handling.value)
    #expect(try stage.store.read("a")?.accessToken == Secret("A1"))
  }

  /// Keys that two sign-ins need are fetched once. Cancelling one fetch does not fail the other.
  @Test func aCancelledFetchOfKeysFailsNoOther() async throws {
    let keys = IDTokenValidation.IssuerKeys(
      http: Server { [asked, gate] _ throws(HTTPFailure) in
        asked.add()
        if asked.value == 1 {
          do { try await gate.value() } catch { throw .cancelled }
        }
        return .json(#"{"keys":[]}"#)
      }, clock: .fixed(0))
    let place = IDTokenValidation.IssuerKeys.Place(uri: "https://id.example/k", limit: .thisMachine)
    let (first, second) = (Task { try await keys.keys(at: place) }, Task { try await keys.keys(at: place) })
    #expect(await soon { asked.value == 1 })
    #expect(await soon { keys.fetches.running(place.name)?.waiting == 2 })
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.settle(.success(()))
    #expect(try await second.value.keys.isEmpty)
    #expect(asked.value == 1)
  }
}
