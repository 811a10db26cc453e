import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// How long no request is sent to a token endpoint, with a clock that the test sets.
struct TokenPauseTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func fail(_ account: String = "a") async -> OAuthFailure? {
    await failureOf { try await stage.accounts.usableGrant(account, requestID: nil) }
  }

  @Test func withoutATimePausesAreDoubledUpToAMinute() async throws {
    try await stage.keep(expiresIn: 0)
    for (number, seconds) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
      server.add(status: number % 2 == 0 ? 429 : 503, body: "")
      #expect(await fail()?.retryAfter == seconds)
      stage.clock.advance(milliseconds: seconds * 1000 - 1)
      #expect(await fail()?.retryAfter == 1)
      #expect(server.requests.count == number + 1)
      stage.clock.advance(milliseconds: 1)
    }
    server.add(body: #"{"access_token":"access-2","expires_in":1}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
    stage.clock.advance(1)
    server.add(status: 503, body: "")
    #expect(await fail()?.retryAfter == 1)
  }

  /// The user insists, and the server is out of reach. Its pause still counts for everything else.
  @Test func aNetworkFailureEndsNoPause() async throws {
    try await stage.keep(expiresIn: 0)
    server.add(status: 429, headers: [HTTPHeader("Retry-After", "100")], body: "")
    #expect(await fail()?.retryAfter == 100)
    server.add { _ in .failure(.network(host: "id.example", cause: "connect", answered: false)) }
    #expect(await failureOf { try await stage.accounts.refresh("a", force: true, requestID: nil) }?.kind == .networkFailure)
    #expect(await fail()?.retryAfter == 100)
    #expect(server.requests.count == 2)
  }

  /// The first request after a pause gets no answer. The next one is the first instead, and the others still wait.
  @Test func afterANetworkFailureOneRequestGoesFirst() async throws {
    try await stage.keep(expiresIn: 0)
    server.add(status: 429, body: "")
    #expect(await fail()?.retryAfter == 1)
    stage.clock.advance(1)
    server.add { _ in .failure(.network(host: "id.example", cause: "connect", answered: false)) }
    #expect(await fail()?.kind == .networkFailure)
    server.add(status: 429, body: "")
    #expect(await fail()?.retryAfter == 2)
  }

  @Test func aClockThatIsSetBackProlongsNoPause() async throws {
    try await stage.keep(expiresIn: -10_000)
    server.add(status: 429, body: "")
    #expect(await fail()?.retryAfter == 1)
    stage.clock.setBack(5000)
    server.add(body: #"{"access_token":"access-2"}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
  }

  /// After a pause one account's request is sent first. The others wait for its response.
  @Test func afterAPauseOneRequestGoesFirst() async throws {
    let gate = Promise<HTTPResponse>()
    let requests = EventCount()
    let server = Server { _ throws(HTTPFailure) in
      requests.add()
      if requests.value == 1 { return HTTPResponse(status: 503) }
      do { return try await gate.value() } catch { throw .cancelled }
    }
    let stage = Stage(server)
    let accounts = (0..<20).map { "account-\($0)" }
    for account in accounts { try await stage.keep(account, expiresIn: 0) }
    _ = await failureOf { try await stage.accounts.usableGrant(accounts[0], requestID: nil) }
    stage.clock.advance(1)
    await withTaskGroup(of: Int?.self) { group in
      for account in accounts {
        group.addTask { await failureOf { try await stage.accounts.usableGrant(account, requestID: nil) }?.retryAfter }
      }
      #expect(await soon { requests.value == 2 })
      gate.settle(.success(HTTPResponse(status: 503)))
      for await seconds in group { #expect(seconds == 2) }
    }
    #expect(requests.value == 2)
  }

  /// Requests are sent together. A success of an older one does not end the pause that the first one's response began.
  @Test func answersToRequestsSentTogetherMakeOnePause() async throws {
    let pauses = TokenPauses()
    let key = TokenPauses.Key("https://id.example/token?secret=1", Client(id: "c"))
    let clock = ManualClock().clock
    let passes = [
      try await pauses.admit(key, clock), try await pauses.admit(key, clock),
      try await pauses.admit(key, clock),
    ]
    let failure = OAuthFailure(.authorizationServerError, "busy")
    for pass in passes.prefix(2) { #expect(pauses.begin(key, pass, failure, HTTPResponse(status: 429), at: clock.milliseconds()) == 1) }
    pauses.end(key, passes[2])
    #expect(await failureOf { try await pauses.admit(key, clock) }?.retryAfter == 1)
    #expect(
      await failureOf { try await pauses.admit(.init("https://id.example/token", Client(id: "c")), clock) } != nil)
    #expect(
      await failureOf { try await pauses.admit(.init("https://id.example/token", Client(id: "d")), clock) } == nil)
  }
}
