import Jansson
import Testing

@testable import OAuth

/// The questions of a device sign-in: what goes along with them, and how the client shows itself in them.
struct DeviceQuestionTests {
  private let server = PreparedAnswers()
  private let pauses = DeviceSignInTests.Pauses()
  private let stage: Stage

  init() {
    let pauses = pauses
    stage = Stage(server, sleep: { seconds in try await pauses.add(seconds) })
  }

  private func pending(_ error: String = "authorization_pending", status: Int = 400) {
    server.add(status: status, body: #"{"error":"\#(error)"}"#)
  }

  private func signIn(_ members: [JSON.Member]) async throws {
    let prompt = try #require(try await stage.accounts.authorize(DeviceSignInTests.request(members)).signIn)
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
  }

  @Test func extraParametersOfTokenRequestsGoAlong() async throws {
    server.add(body: DeviceSignInTests.codes)
    server.add(body: DeviceSignInTests.tokens)
    try await signIn([.init("tokenParameters", ["audience": "x", "device_code": "other"])])
    #expect(server.requests[0].field("audience") == nil && server.requests[1].field("audience") == "x")
    #expect(server.requests[1].field("device_code") == "other")
  }

  /// What is found out of the client's authentication at one question is done at all that follow; a second request each time would be too many.
  @Test func probingFindsTheWayOnce() async throws {
    server.add(body: DeviceSignInTests.codes)
    pending("invalid_client", status: 401)
    for _ in 0..<3 { pending() }
    server.add(body: DeviceSignInTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, true, false, false, false, false])
    #expect(server.requests.dropFirst(2).allSatisfy { $0.field("client_secret") == "client-secret" })
    #expect(pauses.all == [2, 2, 2, 2])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "body")
  }

  @Test func probingKeepsToBasicWhereThatDoes() async throws {
    server.add(body: DeviceSignInTests.codes)
    for _ in 0..<2 { pending() }
    server.add(body: DeviceSignInTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, true, true, true])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "basic")
  }

  /// The device endpoint may be the first to refuse Basic; then no question is asked that way.
  @Test func probingBeginsWithTheDeviceEndpoint() async throws {
    pending("invalid_client", status: 401)
    server.add(body: DeviceSignInTests.codes)
    pending()
    server.add(body: DeviceSignInTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, false, false, false])
    #expect(server.requests.map { $0.field("client_secret") } == [nil, "client-secret", "client-secret", "client-secret"])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "body")
  }

  @Test func aClientThatNobodyKnowsIsTriedTwiceAndNoMore() async throws {
    for _ in 0..<2 { pending("invalid_client", status: 401) }
    let failure = await failureOf { try await signIn([.init("clientAuthentication", "probe")]) }
    #expect(failure?["error"] == "invalid_client" && server.requests.count == 2)
  }
}
