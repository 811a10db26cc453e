import Jansson
import Synchronization
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// What a URL demands of a client of the Model Context Protocol without a token, and which scopes are then requested.
struct DiscoveryProbeTests {
  /// A server at `https://api.example/mcp`, which records its requests.
  private final class MCPServer: Sendable {
    private let sent = Mutex<[String]>([])
    let documents: [String: String]
    /// The answer to each method: its status, its headers, and its body.
    let answers: [String: (Int, [HTTPHeader], String)]

    init(_ documents: [String: String], _ answers: [String: (Int, [HTTPHeader], String)]) {
      (self.documents, self.answers) = (documents, answers)
    }

    var requests: [String] { sent.withLock { $0 } }

    var http: Server {
      Server { [self] request throws(HTTPFailure) in
        if request.method == "GET", request.url != "https://api.example/mcp" {
          guard let document = documents[request.url] else { return HTTPResponse(status: 404) }
          return HTTPResponse(status: 200, body: Array(document.utf8))
        }
        var name = request.method
        if case .bytes(let body) = request.body, let method = (try? JSON.parse(body))?["method"]?.string { name = method }
        let version = request.headers.first { $0.isNamed("mcp-protocol-version") }.map { " in \($0.value)" } ?? ""
        let session = request.headers.first { $0.isNamed("mcp-session-id") }.map { " of \($0.value)" } ?? ""
        sent.withLock { $0.append(name + session + version) }
        let (status, headers, body) = answers[name] ?? (405, [], "")
        return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
      }
    }

    func found() async throws -> Discovery.Found {
      var discovery = Discovery(try URLParts("https://api.example/mcp"), http: http)
      return try await discovery.run()
    }
  }

  private static func issuer(_ more: String = #","code_challenge_methods_supported":["S256"]"#) -> String {
    #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"\#(more)}"#
  }

  private static func resource(_ more: String = "") -> String {
    #"{"resource":"https://api.example/mcp","authorization_servers":["https://id.example"]\#(more)}"#
  }

  private static let place = "https://api.example/.well-known/oauth-protected-resource/mcp"
  private static let server = "https://id.example/.well-known/oauth-authorization-server"

  private static func challenge(_ parameters: String) -> (Int, [HTTPHeader], String) {
    (401, [HTTPHeader("WWW-Authenticate", "Bearer \(parameters)")], "")
  }

  private func scopes(_ found: Discovery.Found) -> JSON? { JSON.object(found.description)["scopes"] }

  @Test func aChallengeToPostWinsOverTheMetadata() async throws {
    let server = MCPServer(
      [Self.place: Self.resource(#","scopes_supported":["all"]"#), Self.server: Self.issuer()],
      ["initialize": Self.challenge(#"scope="one two one""#)])
    let found = try await server.found()
    #expect(server.requests == ["GET", "initialize"] && scopes(found) == ["one", "two"] && found.sources.scopes == .challenge)
  }

  @Test func aChallengeToGetIsEnough() async throws {
    let server = MCPServer(
      [Self.place: Self.resource(#","scopes_supported":["all"]"#), Self.server: Self.issuer()], ["GET": Self.challenge(#"realm="x""#)])
    let found = try await server.found()
    #expect(server.requests == ["GET"] && scopes(found) == ["all"] && found.sources.scopes == .resource)
  }

  @Test(arguments: [nil, "2025-06-18"])
  func theChallengeMayFollowTheHandshake(version: String?) async throws {
    let result = version.map { #""protocolVersion": "\#($0)""# } ?? ""
    let accepted = (200, [HTTPHeader("Mcp-Session-Id", "s1")], "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\(result)}}\n\n")
    let elsewhere = "https://api.example/metadata"
    let server = MCPServer(
      [elsewhere: Self.resource(), Self.server: Self.issuer()],
      ["initialize": accepted, "tools/list": Self.challenge(#"resource_metadata="\#(elsewhere)""#)])
    let found = try await server.found()
    let session = ["notifications/initialized", "tools/list", "DELETE"].map { "\($0) of s1 in \(version ?? "2025-11-25")" }
    #expect(server.requests == ["GET", "initialize"] + session)
    #expect(found.sources.resource == elsewhere && scopes(found) == nil && found.sources.scopes == .none)
  }

  @Test(arguments: [(400, -32020), (400, -32022), (404, -32601)])
  func aServerWithoutHandshakeIsAskedInItsOwnWay(status: Int, code: Int) async throws {
    let later = (status, [HTTPHeader](), #"{"jsonrpc":"2.0","id":1,"error":{"code":\#(code),"message":"no"}}"#)
    let server = MCPServer(
      [Self.place: Self.resource(), Self.server: Self.issuer()],
      ["initialize": later, "server/discover": Self.challenge(#"scope="one""#)])
    #expect(scopes(try await server.found()) == ["one"] && server.requests == ["GET", "initialize", "server/discover in 2026-07-28"])
  }

  /// Alone, it would take the place of the scopes that the server grants by itself.
  @Test(arguments: [(#"scope="one""#, ["one", "offline_access"]), (#"realm="x""#, nil)] as [(String, [String]?)])
  func offlineAccessIsRequestedBesideOthers(parameters: String, wanted: [String]?) async throws {
    let listed = Self.issuer(#","code_challenge_methods_supported":["S256"],"scopes_supported":["offline_access","x"]"#)
    let server = MCPServer([Self.place: Self.resource(), Self.server: listed], ["initialize": Self.challenge(parameters)])
    let found = try await server.found()
    #expect(scopes(found) == wanted.map { .array($0.map { .string($0) }) } && found.sources.addsOfflineAccess == (wanted != nil))
  }

  @Test func aServerWithoutAnyMetadataHasDefaultEndpoints() async throws {
    let found = try await MCPServer([:], ["initialize": Self.challenge(#"scope="one""#)]).found()
    let description = JSON.object(found.description)
    #expect(description["authorizationEndpoint"] == "https://api.example/authorize")
    #expect(
      description["tokenEndpoint"] == "https://api.example/token" && description["registrationEndpoint"] == "https://api.example/register")
    #expect(description["apiBase"] == "https://api.example/mcp" && scopes(found) == ["one"])
  }

  /// An outage says nothing about the endpoints, and neither does a server that wants another kind of credential.
  @Test(arguments: [("{}x", "Bearer"), ("", "Basic realm=\"x\"")])
  func othersHaveNone(document: String, scheme: String) async throws {
    let challenge = (401, [HTTPHeader("WWW-Authenticate", scheme)], "")
    let server = MCPServer(document.isEmpty ? [:] : [Self.place: document], ["initialize": challenge])
    #expect(await failureOf { try await server.found() }?.kind != nil)
  }

  @Test(arguments: ["initialize", "none"])
  func anMCPServersIssuerListsS256(challenged: String) async throws {
    let server = MCPServer([Self.place: Self.resource(), Self.server: Self.issuer("")], [challenged: Self.challenge(#"scope="one""#)])
    #expect(try await server.found().sources.lacksS256 == (challenged == "initialize"))
    let catalog = ProviderCatalog.builtIn.adding(Discovery.Cache())
    let stage = Stage(server.http, catalog: catalog)
    func failure(_ members: [JSON.Member]) async -> OAuthFailure? {
      let reference = ProviderReference.description([.init("discovery", "https://api.example/mcp")] + members)
      return await failureOf { try await stage.accounts.provider(reference, .init(), in: 60) }
    }
    #expect(await failure([])?.message.contains("S256") == (challenged == "initialize" ? true : nil))
    #expect(await failure([.init("pkce", "S256")]) == nil)
  }

  /// Each call with an expired token gets a challenge. Only the first of ten seconds is a reason to look at the metadata.
  @Test func theSameChallengeIsHeededOnceInTenSeconds() throws {
    let discoveries = Discovery.Cache()
    discoveries.add([], of: "https://api.example/mcp", until: .max)
    let challenges = ["one", "one", "two"].map { HTTPChallenge.Resource(metadata: nil, scopes: [$0]) }
    let heeded = challenges.map { discoveries.note($0, of: "https://api.example/mcp", at: 1000, 10) }
    #expect(heeded == [true, false, true] && !discoveries.isFresh("https://api.example/mcp", at: 1000))
    let later = [1009, 1010].map { discoveries.note(challenges[2], of: "https://api.example/mcp", at: $0, 10) }
    #expect(later == [false, true])
  }

  /// Entra supports S256, and its metadata does not say so. It rejects `resource`, and wants the scopes with each refresh.
  @Test func aPresetOfTheIssuerSaysWhatItsMetadataLeaveOut() async throws {
    let tenant = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    let server = MCPServer(
      [
        Self.place: #"{"resource":"https://api.example/mcp","authorization_servers":["\#(tenant)"]}"#,
        tenant + "/.well-known/openid-configuration":
          #"{"issuer":"\#(tenant)","authorization_endpoint":"https://login.microsoftonline.com/a","token_endpoint":"https://login.microsoftonline.com/t"}"#,
      ], ["initialize": Self.challenge(#"scope="api://x/all""#)])
    let found = try await server.found()
    let description = JSON.object(found.description)
    #expect(!found.sources.lacksS256 && description["resourceIndicator"] == "off" && description["sendsScopesOnRefresh"] == true)
    let stage = Stage(server.http, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    let provider = try await stage.accounts.provider(.url("https://api.example/mcp"), .init(), in: 60)
    #expect(provider.request.resource == nil && provider.redirect.redirectHost == "localhost")
  }
}
