import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Requests of a device sign-in: their parameters, and how the client authenticates in them.
struct DeviceQuestionTests {
  private let device = DeviceStage()
  private var server: PreparedResponses { device.server }
  private var stage: Stage { device.stage }

  private func signIn(_ members: [JSON.Member]) async throws { _ = try await device.signIn(DeviceFlowTests.request(members)) }

  @Test func extraParametersOfTokenRequestsGoAlong() async throws {
    server.add(body: DeviceFlowTests.codes)
    server.add(body: DeviceFlowTests.tokens)
    try await signIn([.init("tokenParameters", ["audience": "x", "device_code": "other"])])
    #expect(server.requests[0].field("audience") == nil && server.requests[1].field("audience") == "x")
    #expect(server.requests[1].field("device_code") == "other")
  }

  /// The client authentication found with one request is used for all later requests. A second request for each poll would be too many.
  @Test func probingFindsTheWayOnce() async throws {
    server.add(body: DeviceFlowTests.codes)
    device.pending("invalid_client", status: 401)
    for _ in 0..<3 { device.pending() }
    server.add(body: DeviceFlowTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, true, false, false, false, false])
    #expect(server.requests.dropFirst(2).allSatisfy { $0.field("client_secret") == "client-secret" })
    #expect(device.pauses == [2, 2, 2, 2])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "body")
  }

  @Test func probingKeepsToBasicWhereThatDoes() async throws {
    server.add(body: DeviceFlowTests.codes)
    for _ in 0..<2 { device.pending() }
    server.add(body: DeviceFlowTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, true, true, true])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "basic")
  }

  /// The device endpoint may be the first to reject Basic. Later requests then do not use Basic.
  @Test func probingBeginsWithTheDeviceEndpoint() async throws {
    device.pending("invalid_client", status: 401)
    server.add(body: DeviceFlowTests.codes)
    device.pending()
    server.add(body: DeviceFlowTests.tokens)
    try await signIn([.init("clientAuthentication", "probe")])
    #expect(server.requests.map { $0.header("Authorization") != nil } == [true, false, false, false])
    #expect(server.requests.map { $0.field("client_secret") } == [nil, "client-secret", "client-secret", "client-secret"])
    #expect(try stage.store.read("a")?.provider["clientAuthentication"] == "body")
  }

  @Test func anUnknownClientIsTriedTwiceAndNoMore() async throws {
    for _ in 0..<2 { device.pending("invalid_client", status: 401) }
    let failure = await failureOf { try await signIn([.init("clientAuthentication", "probe")]) }
    #expect(failure?["error"] == "invalid_client" && server.requests.count == 2)
  }
}
