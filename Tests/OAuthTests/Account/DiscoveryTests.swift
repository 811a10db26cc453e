import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Providers named by a URL: which URLs are asked, and how long the answers are valid.
struct DiscoveryTests {
  private let discovery = DiscoveryStage()
  private var stage: Stage { discovery.stage }
  private var server: PreparedResponses { discovery.server }

  @Test func discoveredMetadataIsCached() async throws {
    discovery.publish(headers: [HTTPHeader("Cache-Control", "no-store")])
    try await discovery.discover(discovery.request)
    stage.clock.advance(CacheLifetime.usual - 1)
    try await discovery.discover(discovery.request)
    #expect(server.requests.count == 3)
    stage.clock.advance(1)
    discovery.publish()
    try await discovery.discover(discovery.request)
    #expect(server.requests.count == 6)
  }

  private func discovered(_ url: String, _ server: Server) async throws -> Discovery.Found {
    var discovery = Discovery(try URLParts(url), http: server)
    return try await discovery.run()
  }

  private static let document =
    #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"}"#

  /// libcurl reports the scope of the address that answered. Endpoints that the server names must be within this scope.
  @Test(arguments: [(NetworkScope.publicNetwork, "192.0.43.8"), (.privateNetwork, "10.0.0.1")])
  func aServerNamesPlacesWithinItsScope(scope: NetworkScope, address: String) async throws {
    let asked = EventCount()
    let found = try await discovered(
      "https://api.example/x",
      Server { request throws(HTTPFailure) in
        guard request.url.hasPrefix("https://id.example/") || request.url.hasSuffix("resource/x") else {
          var missing = HTTPResponse(status: 404)
          missing.address = address
          return missing
        }
        let resource = #"{"resource":"https://api.example/x","authorization_servers":["https://id.example"]}"#
        let isIssuer = request.url.hasPrefix("https://id.example/")
        #expect(request.scopeLimit == (isIssuer ? scope : .thisMachine))
        asked.add()
        var response = HTTPResponse(status: 200, body: Array((isIssuer ? Self.document : resource).utf8))
        response.address = address
        return response
      })
    #expect(found.scope == scope && asked.value == 3)
  }

  @Test func noDiscoveryWithoutInteraction() async throws {
    try await discovery.signIn()
    stage.clock.advance(100_000)
    let (accounts, asked) = (stage.accounts, server.requests.count)
    var request = discovery.request
    request.interaction = .never
    server.add(status: 400, body: #"{"error":"invalid_grant"}"#)
    let never = request
    #expect(await failureOf { try await accounts.authorize(never) }?.kind == .signInRequired)
    #expect(server.requests.count == asked + 1)
    (request.account, request.provider) = ("b", .url("https://other.example"))
    let other = request
    let failure = await failureOf { try await accounts.authorize(other) }
    #expect(failure?.kind == .signInRequired && server.requests.count == asked + 1)
  }

  @Test func slowDiscoveryEndsAtTheCallersTimeout() async throws {
    let slow = Stage(
      Server { _ throws(HTTPFailure) in
        _ = try? await Promise<Void>().value()
        return HTTPResponse(status: 404)
      }, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    let discovery = Task { try await slow.accounts.provider(.url("https://id.example"), .init(), in: 1) }
    try await slow.clock.pauses(atLeast: 1)
    slow.clock.advance(1)
    let failure = await failureOf { try await discovery.value }
    #expect(failure?.kind == .timedOut && failure?.isRetryable == true)
  }

  /// Both references give the account name that `authorize` uses by default.
  @Test(arguments: [
    ProviderReference.url("https://api.example/mcp"), .description([.init("discovery", "https://api.example/mcp")]),
  ])
  func theAccountIsNamedByTheURL(reference: ProviderReference) throws {
    let discoveries = Discovery.Cache()
    discoveries.add(
      [.init("issuer", "https://id.example"), .init("authorizationEndpoint", "https://id.example/a")], of: "https://api.example/mcp",
      until: .max)
    #expect(try ProviderCatalog.builtIn.adding(discoveries).resolve(reference).defaultAccount == "api.example/mcp")
  }

  /// Some services expect a key in their URL. Such a key is as secret as a token.
  @Test(arguments: [404, 200])
  func theQueryOfAURLIsInNoMessage(status: Int) async {
    let body = status == 200 ? #"{"issuer":"https://other.example","resource":"https://other.example"}"# : ""
    let network = Server { _ throws(HTTPFailure) in HTTPResponse(status: status, body: Array(body.utf8)) }
    let stage = Stage(network, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    let failure = await failureOf { try await stage.accounts.provider(.url("https://id.example/mcp?key=s3cret"), .init(), in: 60) }
    #expect(failure?.message.contains("https://id.example/mcp") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("s3cret") == false && failure?.account?.contains("s3cret") != true)
  }
}
