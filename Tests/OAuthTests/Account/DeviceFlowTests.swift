import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A sign-in with a code that the user types on another device. The tests move the clock and do not wait.
struct DeviceFlowTests {
  private let device = DeviceStage()
  private var server: PreparedResponses { device.server }
  private var stage: Stage { device.stage }

  static let codes =
    #"{"device_code":"dev1ce","user_code":"AB-12","verification_uri":"https://id.example/d","expires_in":900,"interval":2}"#
  static let tokens = #"{"access_token":"A","refresh_token":"R","expires_in":100}"#

  static func request(_ members: [JSON.Member] = []) -> AuthorizationInput {
    var request = Stage.request(with: [.init("deviceAuthorizationEndpoint", "https://id.example/device")] + members)
    request.flow = .device
    request.redirectUri = nil
    return request
  }

  @Test func aTypedCodeBecomesAGrant() async throws {
    server.add(body: Self.codes)
    device.pending()
    device.pending("slow_down")
    device.pending(status: 428)
    server.add(body: Self.tokens)
    let authorization = try await device.signIn()
    #expect(authorization.via == .signedIn && authorization.grantedScopes == ["read"] && authorization.canRefresh)
    #expect(device.pauses == [2, 2, 7, 7])
    #expect(stage.told == ["requested", "authorized signedIn"])
    guard case .signInRequested(let prompt)? = stage.facts.first?.kind else { throw OAuthFailure(.timedOut, "nothing was told") }
    #expect(prompt.url == "https://id.example/d" && prompt.userCode == "AB-12" && prompt.expiresAt == 1_000_300)
    #expect(server.requests.map(\.url) == ["https://id.example/device"] + Array(repeating: "https://id.example/token", count: 4))
    #expect(server.requests[0].field("client_secret") == "client-secret" && server.requests[0].field("scope") == "read")
    #expect(server.requests[1].field("device_code") == "dev1ce" && server.requests[1].field("redirect_uri") == nil)
    #expect(server.requests[1].field("grant_type") == "urn:ietf:params:oauth:grant-type:device_code")
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.refreshToken == Secret("R") && grant.redirectUri == nil)
    server.add(body: #"{"access_token":"B"}"#)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil).refreshed)
    #expect(server.requests.last?.field("grant_type") == "refresh_token")
  }

  /// RFC 8628, 3.5: each slow_down adds five seconds to all later pauses. GitHub names the pause itself.
  @Test func slowDown() async throws {
    server.add(body: Self.codes)
    device.pending("slow_down")
    server.add(body: #"{"error":"slow_down","interval":30}"#)
    server.add(body: #"{"error":"slow_down","interval":1}"#)
    server.add(body: Self.tokens)
    _ = try await device.signIn()
    #expect(device.pauses == [2, 7, 30, 35])
  }

  @Test func temporaryFailuresDoNotEndTheSignIn() async throws {
    server.add(body: Self.codes)
    for cause in ["connect", "tls"] {
      server.add { _ in .failure(.network(host: "id.example", cause: cause, answered: false)) }
    }
    server.add { _ in .failure(.timedOut(host: "id.example")) }
    server.add(status: 503, body: "<html>")
    server.add(status: 429, body: "")
    server.add(status: 500, body: #"{"error":"server_error"}"#)
    device.pending()
    server.add(body: Self.tokens)
    _ = try await device.signIn()
    #expect(device.pauses == [2, 4, 8, 16, 32, 60, 60, 2])
    #expect(stage.told == ["requested", "authorized signedIn"])
  }

  @Test(arguments: [
    (400, #"{"error":"access_denied","error_description":"no dev1ce"}"#, OAuthFailure.Kind.accessDenied, "failed accessDenied"),
    (400, #"{"error":"expired_token"}"#, .timedOut, "abandoned timedOut"),
    (400, #"{"error":"invalid_grant"}"#, .authorizationServerError, "failed authorizationServerError"),
    (401, #"{"error":"invalid_client"}"#, .authorizationServerError, "failed authorizationServerError"),
    (200, "{}", .responseUntrusted, "failed responseUntrusted"), (302, "", .authorizationServerError, "failed authorizationServerError"),
  ])
  func theEndOfADeviceSignInIsReportedOnce(status: Int, body: String, kind: OAuthFailure.Kind, told: String) async throws {
    server.add(body: Self.codes)
    server.add(status: status, body: body)
    let failure = await failureOf { try await device.signIn() }
    #expect(failure?.kind == kind && failure?.account == "a")
    #expect(failure?["errorDescription"]?.string?.contains("dev1ce") != true)
    #expect(stage.told == ["requested", told])
    #expect(server.requests.count == 2)
    #expect(try stage.store.read("a") == nil)
  }

  @Test func anErrorOfTheProvidersOwnName() async {
    server.add(body: Self.codes)
    device.pending("authorization_declined")
    let names: JSON = ["authorization_declined": "access_denied"]
    let failure = await failureOf { try await device.signIn(Self.request([.init("deviceErrorNames", names)])) }
    #expect(failure?.kind == .accessDenied)
  }

  @Test(arguments: [(400, #"{"error":"unauthorized_client"}"#), (200, #"{"device_code":"D"}"#), (500, "")])
  func withoutCodesNoSignInIsOpen(status: Int, body: String) async {
    server.add(status: status, body: body)
    #expect(await failureOf { try await stage.accounts.authorize(Self.request()) } != nil)
    #expect(stage.told == [] && server.requests.count == 1)
  }

  @Test func itExpiresWithTheCode() async throws {
    server.add(body: Self.codes.replacing("900", with: "1"))
    let prompt = try #require(try await stage.accounts.authorize(Self.request()).signIn)
    #expect(prompt.expiresAt == 1_000_001)
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(1)
    let failure = await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: nil) }
    #expect(failure?.kind == .timedOut && failure?.message.contains("1 s that the code was valid") == true)
    #expect(stage.told == ["requested", "abandoned timedOut"])
  }

  /// The cancelled caller returns at once, and no further request is sent to the provider.
  @Test func anAbandonedSignInAsksNoMore() async throws {
    server.add(body: Self.codes)
    device.pending()
    var request = Self.request()
    request.waits = true
    let waiting = Task { [request] in try await stage.accounts.authorize(request) }
    // The poll, the deadline of the sign-in and the caller's own.
    try await stage.clock.pauses(atLeast: 3)
    stage.clock.advance(2)
    #expect(await soon { server.requests.count == 2 })
    try await stage.clock.pauses(atLeast: 3)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(stage.told == ["requested", "abandoned cancelled"])
    #expect(await soon { stage.clock.pauses.isEmpty })
    #expect(server.requests.count == 2)
  }

  @Test func anotherJoinsAndNoRedirectTouchesIt() async throws {
    server.add(body: Self.codes)
    let first = try #require(try await stage.accounts.authorize(Self.request()).signIn)
    let second = try #require(try await stage.accounts.authorize(Self.request()).signIn)
    #expect(first == second && server.requests.count == 1)
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=") == false)
    #expect(try await stage.accounts.signIns.take(typed: Secret("AB-12"), signIn: first.id) == false)
    await stage.accounts.signIns.abandon(all: true)
    #expect(stage.told == ["requested", "requested", "abandoned ended"])
  }

  @Test(
    arguments: [
      (false, true, nil, true), (true, true, nil, false), (false, false, nil, false), (false, true, "app.example:/cb", false),
    ] as [(Bool, Bool, String?, Bool)])
  func autoMeansACodeOnlyWhereNoPageCanBeOpened(hasBrowser: Bool, opens: Bool, redirectUri: String?, isDevice: Bool) async throws {
    let stage = Stage(server, hasBrowser: hasBrowser)
    server.add(body: Self.codes)
    var request = Self.request()
    (request.flow, request.opensBrowser, request.redirectUri) = (.auto, opens, redirectUri)
    #expect((try await stage.accounts.authorize(request).signIn?.userCode != nil) == isDevice)
    await stage.accounts.signIns.abandon(all: true)
  }

  /// Most clients are not registered for the device flow. The client then gets the bare URL.
  @Test func autoFallsBackWhereTheProviderRejects() async throws {
    let stage = Stage(server, hasBrowser: false)
    server.add(status: 400, body: #"{"error":"unauthorized_client"}"#)
    var request = Self.request()
    (request.flow, request.opensBrowser) = (.auto, true)
    let prompt = try #require(try await stage.accounts.authorize(request).signIn)
    #expect(prompt.userCode == nil && prompt.url.hasPrefix("https://id.example/authorize?"))
    await stage.accounts.signIns.abandon(all: true)
  }

  @Test func theDryRunHasBothRequests() async throws {
    let dryRun = try await stage.accounts.dryRun(Self.request()).dryRun
    #expect(dryRun.url == nil && dryRun.redirectUri == nil && server.requests.isEmpty)
    #expect(dryRun.steps.prefix(3).map(\.name) == ["deviceAuthorization", "token", "refresh"])
    #expect(dryRun.steps[1].body?.contains("device_code=DEVICE_CODE") == true)
    #expect(!dryRun.steps.contains { $0.body?.contains("client-secret") == true })
  }
}
