import Jansson
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Platform

struct RetryTests {
  @Test(arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"], [403, 429, 502, 503, 504])
  func repeatableRequestsAreRepeated(method: String, status: Int) async throws {
    let stage = try await CallStage()
    stage.server.add(status: status, headers: [HTTPHeader("Retry-After", "0")], body: "")
    stage.server.add(body: "ok")
    let response = try await stage.call { $0.method = method }
    #expect(response.status == 200 && response.attempts == 2)
  }

  @Test(arguments: [400, 404, 408, 410, 500, 501])
  func permanentFailuresAreNotRepeated(status: Int) async throws {
    let stage = try await CallStage()
    stage.server.add(status: status, headers: [HTTPHeader("Retry-After", "0")], body: "")
    let response = try await stage.call()
    #expect(response.status == status && response.attempts == 1)
  }

  @Test(arguments: ["POST", "PATCH", "MKCOL"])
  func otherRequestsAreSentOnce(method: String) async throws {
    for repeats in [nil, false, true] {
      let stage = try await CallStage()
      for _ in 0..<2 { stage.server.add(status: 503, headers: [HTTPHeader("Retry-After", "0")], body: "") }
      stage.server.add(body: "ok")
      let response = try await stage.call { request in
        request.method = method
        request.retries = repeats
      }
      #expect(response.attempts == (repeats == true ? 3 : 1))
    }
  }

  @Test(arguments: [true, false])
  func theErrorForALargeBodyNamesTheAlternatives(streams: Bool) async throws {
    let stage = try await CallStage()
    stage.server.add { _ in .failure(.tooLarge(maxBytes: 4)) }
    let failure = await failureOf { try await stage.call { $0.streams = streams } }
    #expect(failure?.kind == .responseTooLarge && failure?["maxBytes"] == 4)
    #expect(
      failure?.message == "the response is larger than 4 bytes: raise maxBytes"
        + (streams ? "" : ", or use saveTo or stream"))
  }

  @Test func withoutRetriesACallIsSentOnce() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 503, headers: [HTTPHeader("Retry-After", "0")], body: "")
    #expect(try await stage.call { $0.retries = false }.attempts == 1)
  }

  /// A service may reject the token and demand a pause in one response. The last response counts.
  @Test func aRejectionBeforeAPauseLeavesNoDoubt() async throws {
    let stage = try await CallStage(refreshToken: nil, with: [.init("expired", ["statuses": [403]])])
    stage.server.add(status: 403, headers: [HTTPHeader("Retry-After", "0")], body: "")
    stage.server.add(body: "ok")
    #expect(try await stage.call().status == 200)
    #expect(try stage.stage.store.read("a")?.doubtedAt == nil)
  }

  @Test func fourAttemptsAreTheMost() async throws {
    let stage = try await CallStage()
    for _ in 0..<5 { stage.server.add(status: 503, headers: [HTTPHeader("Retry-After", "0")], body: "") }
    let response = try await stage.call()
    #expect(response.status == 503 && response.attempts == 4)
    #expect(stage.server.left == 1)
  }

  /// The wait is longer than the call's timeout, so it is not begun.
  @Test(arguments: ["61", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func aWaitBeyondTheCallsTimeIsNotBegun(after: String) async throws {
    let stage = try await CallStage()
    stage.server.add(status: 429, headers: [HTTPHeader("Retry-After", after)], body: "")
    #expect(try await stage.call().attempts == 1)
  }

  @Test func theServersWaitIsHonoured() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 503, headers: [HTTPHeader("Retry-After", "1")], body: "")
    stage.server.add(body: "ok")
    let call = Task { try await stage.call() }
    try await stage.stage.clock.pauses(atLeast: 1)
    #expect(stage.stage.clock.pauses == [1000] && stage.server.requests.count == 1)
    stage.stage.clock.advance(1)
    #expect(try await call.value.attempts == 2)
  }

  @Test func aConnectionBrokenBeforeAResponseIsTriedAgain() async throws {
    let stage = try await CallStage()
    stage.server.add { _ in .failure(.network(host: "api.example", cause: "broken", answered: false)) }
    stage.server.add(body: "ok")
    let call = Task { try await stage.call() }
    try await stage.stage.clock.pauses(atLeast: 1)
    stage.stage.clock.advance(milliseconds: 250)
    #expect(try await call.value.attempts == 2)
  }

  @Test(arguments: [
    HTTPFailure.network(host: "h", cause: "broken", answered: true), .network(host: "h", cause: "connect", answered: false),
    .network(host: "h", cause: "tls", answered: false), .timedOut(host: "h"), .tooLarge(maxBytes: 1),
  ])
  func otherFailuresAreReported(failure: HTTPFailure) async throws {
    let stage = try await CallStage()
    stage.server.add { _ in .failure(failure) }
    stage.server.add(body: "never asked for")
    #expect(await failureOf { try await stage.call() }?.kind == OAuthFailure(failure).kind)
    #expect(stage.server.left == 1)
  }

  @Test func aCancelledCallEndsWhileItWaits() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 503, headers: [HTTPHeader("Retry-After", "50")], body: "")
    let call = Task { try await stage.call() }
    try await stage.stage.clock.pauses(atLeast: 1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
  }
}
