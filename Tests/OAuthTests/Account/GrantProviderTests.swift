import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Changes in a preset or in the user's file apply to the grants that name it. Secrets keep their old destinations.
struct GrantProviderTests {
  private let folder: TemporaryFolder
  private let server = PreparedResponses()
  private let stage: Stage

  init() throws {
    folder = try TemporaryFolder()
    stage = Stage(server, catalog: ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path)))
  }

  private static let described: [JSON.Member] = [
    .init("authorizationEndpoint", "https://id.example/authorize"), .init("tokenEndpoint", "https://id.example/token"),
    .init("revocationEndpoint", "https://id.example/revoke"), .init("apiBase", "https://api.example/v1/"),
    .init("apiHosts", ["api.example"]),
  ]

  private func write(_ changes: [JSON.Member]) {
    _ = folder.write("mine.json", JSON.object(ProviderCatalog.merge(changes, over: Self.described)).text)
  }

  private func keep(_ provider: ProviderReference = .preset("mine")) async throws {
    var request = AuthorizationInput()
    (request.account, request.clientId, request.credentials.secret, request.provider) = ("a", "client", Secret("secret"), provider)
    let data: JSON = ["access_token": "access-1", "refresh_token": "refresh-1", "scope": "read"]
    _ = try await stage.accounts.importGrant(
      try ImportFormat.json.read(data, issuedAt: nil, now: stage.clock.now), for: request, replaces: false)
  }

  private func call(_ url: String = "x") async throws -> String? {
    server.add(body: "{}")
    _ = try await APICall(accounts: stage.accounts, request: APIRequest(account: "a", url: url)) { _ in true }.run()
    return server.requests.last?.url
  }

  private func refreshedAt() async throws -> HTTPRequest? {
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    _ = try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil)
    return server.requests.last
  }

  @Test func theAPIAndItsOptionsFollowTheFile() async throws {
    write([])
    try await keep()
    #expect(try await call() == "https://api.example/v1/x")
    write([.init("apiBase", "https://new.example/v2/"), .init("apiHosts", ["new.example"]), .init("apiHeaders", ["X-V": "2"])])
    #expect(try await call() == "https://new.example/v2/x")
    #expect(server.requests.last?.header("X-V") == "2")
    await #expect(throws: OAuthFailure.self) { try await call("https://api.example/v1/x") }
  }

  @Test func anEndpointOfTheSameOriginFollowsToo() async throws {
    write([])
    try await keep()
    write([.init("tokenEndpoint", "https://id.example/v2/token"), .init("revocationEndpoint", "https://id.example/v2/revoke")])
    #expect(try await refreshedAt()?.url == "https://id.example/v2/token")
    // A request that names the provider finds the grant.
    var request = AuthorizationInput()
    (request.account, request.clientId, request.provider, request.interaction) = ("a", "client", .preset("mine"), .never)
    #expect(try await stage.accounts.authorize(request).via == .stored)
    server.add(body: "")
    server.add(body: "")
    _ = try await stage.accounts.revoke("a", requestID: nil)
    #expect(server.requests.last?.url == "https://id.example/v2/revoke")
  }

  /// A description with tokens from another origin is another provider. The grant keeps using its own.
  @Test func anotherOriginIsAnotherProvider() async throws {
    write([])
    try await keep()
    write([
      .init("tokenEndpoint", "https://evil.example/token"), .init("apiBase", "https://evil.example/"), .init("apiHosts", ["evil.example"]),
    ])
    #expect(try await call() == "https://api.example/v1/x")
    #expect(try await refreshedAt()?.url == "https://id.example/token")
    var request = AuthorizationInput()
    (request.account, request.clientId, request.provider, request.interaction) = ("a", "client", .preset("mine"), .never)
    #expect(await failureOf { try await stage.accounts.authorize(request) }?["reason"] == "noGrant")
  }

  @Test(arguments: ["refreshEndpoint", "introspectionEndpoint", "revocationEndpoint", "deviceAuthorizationEndpoint"])
  func secretsGoToNoNewOrigin(member: String) async throws {
    write([.init("revocationStyle", "rfc7009")])
    try await keep()
    write([.init(member, "https://evil.example/x"), .init("revocationStyle", "json"), .init("apiBase", "https://api.example/v2/")])
    let provider = try stage.accounts.grant("a").resolvedProvider
    #expect(provider.api.apiBase == "https://api.example/v2/")
    #expect(provider.token.refreshEndpoint == nil && provider.introspectionEndpoint == nil && provider.deviceAuthorizationEndpoint == nil)
    #expect(provider.revocation.revocationEndpoint == "https://id.example/revoke")
    #expect(provider.revocation.revocationStyle == (member == "revocationEndpoint" ? .rfc7009 : .json))
  }

  @Test(arguments: [nil, "{", #"{"tokenEndpoint":7}"#, #"{"preset":"unknown"}"#])
  func withoutTheFileTheGrantGoesOn(text: String?) async throws {
    write([])
    try await keep()
    _ = folder.write("mine.json", Array((text ?? "{}").utf8))
    #expect(try await call() == "https://api.example/v1/x")
  }

  @Test func additionsToANamedProviderStay() async throws {
    write([.init("apiBase", "https://{host}/v1/"), .init("apiHosts", ["{host}"]), .init("variables", ["host": "api.example"])])
    try await keep(
      .description([.init("preset", "mine"), .init("variables", ["host": "own.example"]), .init("apiHeaders", ["X": "own"])]))
    write([.init("apiBase", "https://{host}/v2/"), .init("apiHosts", ["{host}"]), .init("variables", ["host": "other.example"])])
    #expect(try await call() == "https://own.example/v2/x")
    #expect(server.requests.last?.header("X") == "own")
  }

  /// A refresh stores today's description, and keeps the client authentication that probing found.
  @Test func theProbedAuthenticationStays() async throws {
    write([.init("clientAuthentication", "probe")])
    try await keep()
    server.add(status: 401, body: #"{"error":"invalid_client"}"#)
    #expect(try await refreshedAt()?.field("client_secret") == "secret")
    write([.init("clientAuthentication", "probe"), .init("apiBase", "https://api.example/v2/")])
    let count = server.requests.count
    #expect(try await refreshedAt()?.field("client_secret") == "secret")
    #expect(server.requests.count == count + 1)
    #expect(try stage.store.read("a")?.provider["apiBase"] == "https://api.example/v2/")
  }

  /// Otherwise the stored secret would also be sent to the new device endpoint.
  @Test func aNewDeviceEndpointGetsNoKeptSecret() async throws {
    let own = Self.described
    try await keep(.description(own))
    var request = AuthorizationInput()
    (request.account, request.clientId) = ("a", "client")
    request.provider = .description(own + [.init("deviceAuthorizationEndpoint", "https://evil.example/device")])
    #expect(try await stage.plan(request).client.secret == nil)
    request.provider = .description(own + [.init("deviceAuthorizationEndpoint", "https://id.example/device")])
    #expect(try await stage.plan(request).client.secret == Secret("secret"))
  }
}
