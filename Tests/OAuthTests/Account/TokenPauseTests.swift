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

  @Test func aClockThatIsSetBackProlongsNoPause() async throws {
    try await stage.keep(expiresIn: -10_000)
    server.add(status: 429, body: "")
    #expect(await fail()?.retryAfter == 1)
    stage.clock.setBack(5000)
    server.add(body: #"{"access_token":"access-2"}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
  }

  /// Requests are sent together. A success of an older one does not end the pause that the first one's response began.
  @Test func answersToRequestsSentTogetherMakeOnePause() async throws {
    let servers = Servers(http: server, clock: ManualClock().clock)
    func endpoint(_ query: String, _ clientID: String = "c") -> Servers.Endpoint {
      Servers.Endpoint("https://id.example/token\(query)", clientID: clientID)
    }
    let first = endpoint("?secret=1")
    let numbers = [try await servers.admit(first), try await servers.admit(first), try await servers.admit(first)]
    let failure = OAuthFailure(.authorizationServerError, "busy")
    let response = HTTPResponse(status: 429)
    for number in numbers.prefix(2) { #expect(servers.pause(first, number, failure, response) == 1) }
    servers.endPause(first, numbers[2])
    #expect(await failureOf { try await servers.admit(first) }?.retryAfter == 1)
    #expect(await failureOf { try await servers.admit(endpoint("")) } != nil)
    #expect(await failureOf { try await servers.admit(endpoint("", "d")) } == nil)
  }
}
