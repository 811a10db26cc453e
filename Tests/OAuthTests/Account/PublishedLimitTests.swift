import Jansson
import Synchronization
import TestSupport
import Testing

@testable import Calls
@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// The network scope that requests to a server's published endpoints may reach: for every kind of request, also after a restart.
struct PublishedLimitTests {
  private static let issuer = "https://id.example"
  private static let places = [
    "token_endpoint": "token", "userinfo_endpoint": "me", "jwks_uri": "keys", "pushed_authorization_request_endpoint": "par",
    "device_authorization_endpoint": "device", "introspection_endpoint": "introspect", "revocation_endpoint": "revoke",
    "registration_endpoint": "register",
  ]
  private static let answers = [
    "token": #"{"access_token":"A","refresh_token":"R","expires_in":3600}"#, "me": #"{"sub":"u"}"#, "keys": #"{"keys":[]}"#,
    "par": #"{"request_uri":"urn:x","expires_in":60}"#, "introspect": #"{"active":true}"#, "revoke": "", "register": #"{"client_id":"r"}"#,
    "device":
      #"{"device_code":"dev1ce","user_code":"AB-12","verification_uri":"https://id.example/d","expires_in":900,"interval":2}"#,
  ]

  /// A server whose own address has the given scope, and whose published endpoints are all on another host.
  private final class PublishingServer: HTTPClient {
    private let scope: NetworkScope
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ scope: NetworkScope) { self.scope = scope }

    var requests: [HTTPRequest] { sent.withLock { $0 } }
    /// The limit of each kind of request to a published endpoint.
    var limits: [String: NetworkScope] {
      let published = requests.filter { $0.url.hasPrefix("https://in.example/") }
      return Dictionary(published.map { (String($0.url.split(separator: "/")[2]), $0.scopeLimit) }) { max($0, $1) }
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
      sent.withLock { $0.append(request) }
      var response = HTTPResponse(status: 404)
      if request.url == issuer + "/.well-known/oauth-authorization-server" {
        let named = places.map { #""\#($0.key)":"https://in.example/\#($0.value)""# }.joined(separator: ",")
        response = .json(
          #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/a","require_pushed_authorization_requests":true,\#(named)}"#)
      } else if let body = answers[String(request.url.split(separator: "/").last ?? "")] {
        response = .json(body, status: request.url.hasSuffix("register") ? 201 : 200)
      }
      response.address = scope == .thisMachine ? "127.0.0.1" : scope == .privateNetwork ? "10.0.0.1" : "1.1.1.1"
      return response
    }
  }

  private func stage(_ server: PublishingServer, _ store: MemoryStore) -> Stage {
    Stage(server, store: store, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
  }

  private func request(_ members: [JSON.Member]) -> AuthorizationInput {
    var request = Stage.request()
    request.provider = .description([.init("discovery", .string(Self.issuer))] + members)
    (request.clientId, request.credentials.secret) = (nil, nil)
    return request
  }

  private func signIn(_ stage: Stage, _ server: PublishingServer, _ members: [JSON.Member]) async throws {
    let request = request(members)
    guard let provider = request.provider else { return }
    _ = try await stage.plan(Stage.request(of: provider))
    let prompt = try await stage.begin(request).prompt
    let state = server.requests.compactMap { $0.field("state") }.last ?? ""
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
    // The device flow fetches the keys before it asks for the codes.
    var device = Stage.request("d", scopes: ["openid"])
    (device.provider, device.flow) = (provider, .device)
    _ = await failureOf { try await stage.accounts.authorize(device) }
    (device.account, device.scopes) = ("e", ["read"])
    _ = try await stage.accounts.authorize(device)
  }

  private func use(_ stage: Stage) async throws {
    let accounts = stage.accounts
    _ = try await accounts.refresh("a", force: true, requestID: nil)
    _ = try await accounts.requestUserInfo(of: "a", requestID: nil)
    _ = try await accounts.introspect("a")
    _ = try await accounts.revoke("a", requestID: nil)
  }

  @Test(arguments: [NetworkScope.publicNetwork, .privateNetwork, .thisMachine])
  func everyRequestStaysWithinTheScopeOfWhoNamedItsPlace(scope: NetworkScope) async throws {
    let store = MemoryStore()
    let server = PublishingServer(scope)
    let first = stage(server, store)
    try await signIn(first, server, [])
    let kept = store.read("a")
    try await use(first)
    #expect(Set(server.limits.keys) == Set(Self.places.values) && Set(server.limits.values) == [scope], "\(server.limits)")
    #expect(server.requests.filter { $0.url.hasPrefix(Self.issuer + "/.well-known/") }.allSatisfy { $0.scopeLimit == .thisMachine })
    // The state after a restart: nothing is in memory.
    try store.write(try #require(kept))
    let later = PublishingServer(.publicNetwork)
    try await use(stage(later, store))
    #expect(Set(later.limits.keys) == ["token", "me", "introspect", "revoke"] && Set(later.limits.values) == [scope], "\(later.limits)")
  }

  /// This holds even if the server publishes the same endpoint.
  @Test(arguments: [
    [JSON.Member("userInfoEndpoint", "https://in.example/me")], [.init("apiHosts", ["*.example"])],
    [.init("variables", ["host": "in.example"]), .init("jwksUri", "https://{host}/keys")],
  ])
  func aHostThatTheDescriptionNamesMayBeAnywhere(members: [JSON.Member]) async throws {
    let store = MemoryStore()
    let server = PublishingServer(.publicNetwork)
    let first = stage(server, store)
    try await signIn(first, server, members)
    let kept = store.read("a")
    try await use(first)
    try store.write(try #require(kept))
    let later = PublishingServer(.publicNetwork)
    try await use(stage(later, store))
    #expect(Set(server.limits.values) == [.thisMachine] && Set(later.limits.values) == [.thisMachine])
    #expect(server.limits.count == Self.places.count && later.limits.count == 4)
  }

  /// An error message asks for the description to name the host. The stored grant stays in use afterwards.
  @Test func aHostMayBeNamedLater() async throws {
    let store = MemoryStore()
    let server = PublishingServer(.publicNetwork)
    let stage = stage(server, store)
    try await signIn(stage, server, [])
    for (members, limit) in [
      ([], NetworkScope.publicNetwork), ([.init("userInfoEndpoint", "https://in.example/me")], .thisMachine), ([], .thisMachine),
    ] as [([JSON.Member], NetworkScope)] {
      #expect(try await stage.accounts.authorize(request(members)).via == .stored)
      _ = try await stage.accounts.requestUserInfo(of: "a", requestID: nil)
      #expect(server.requests.last?.scopeLimit == limit)
    }
    #expect(store.read("a")?.publishedLimit?.namedHosts == ["id.example", "in.example"] && store.read("a")?.generation == 2)
  }

  /// Other messages ask for the same. This description has every endpoint and uses no published document.
  @Test func aWholeDescriptionNamesItsHosts() async throws {
    let store = MemoryStore()
    let server = PublishingServer(.publicNetwork)
    let stage = stage(server, store)
    try await signIn(stage, server, [])
    var request = Stage.request()
    let endpoints = Self.places.filter { $0.key != "jwks_uri" && $0.key != "pushed_authorization_request_endpoint" }
    let names = [
      "token_endpoint": "tokenEndpoint", "userinfo_endpoint": "userInfoEndpoint", "revocation_endpoint": "revocationEndpoint",
      "device_authorization_endpoint": "deviceAuthorizationEndpoint", "introspection_endpoint": "introspectionEndpoint",
      "registration_endpoint": "registrationEndpoint",
    ]
    request.provider = .description(
      [.init("issuer", .string(Self.issuer)), .init("authorizationEndpoint", .string(Self.issuer + "/a"))]
        + endpoints.compactMap { place in names[place.key].map { .init($0, .string("https://in.example/\(place.value)")) } })
    (request.clientId, request.credentials.secret) = (nil, nil)
    #expect(try await stage.accounts.authorize(request).via == .stored)
    #expect(store.read("a")?.publishedLimit?.namedHosts == ["id.example", "in.example"])
  }

  /// Paths are joined to the described base. The API reaches a host that the server names only through an endpoint or the caller's whole URL.
  @Test func aWholeURLIsNamedByTheCaller() async throws {
    let server = PublishingServer(.publicNetwork)
    let stage = stage(server, MemoryStore())
    try await signIn(stage, server, [])
    for (url, limit) in [("https://in.example/x", NetworkScope.thisMachine), ("https://id.example/x", .thisMachine)] {
      _ = try await APICall(accounts: stage.accounts, request: APIRequest(account: "a", url: url)) { _ in true }.run()
      #expect(server.requests.last?.scopeLimit == limit)
    }
  }

  /// Keys fetched for one provider are not used for another with a narrower limit.
  @Test func keysAreAskedForWithinEachLimit() async throws {
    let server = PublishingServer(.publicNetwork)
    let keys = IDTokenValidation.IssuerKeys(http: server, clock: .fixed(0))
    for limit in [NetworkScope.thisMachine, .publicNetwork, .thisMachine] {
      _ = try? await keys.keys(at: .init(uri: "https://in.example/keys", limit: limit))
    }
    #expect(server.requests.map(\.scopeLimit).prefix(2) == [.thisMachine, .publicNetwork])
  }

  /// A preset's file names the host now. The stored grant does not contain it.
  @Test func aChangedFileMayNameTheHost() throws {
    let discoveries = Discovery.Cache()
    let published: [JSON.Member] = [.init("authorizationEndpoint", "https://id.example/a"), .init("tokenEndpoint", "https://in.example/t")]
    discoveries.add(published, of: Self.issuer, until: 0, scope: .publicNetwork)
    let catalog = ProviderCatalog.builtIn.adding(discoveries)
    let named = ProviderReference.description([.init("discovery", .string(Self.issuer)), .init("tokenEndpoint", "https://in.example/t")])
    #expect(try catalog.resolve(.url(Self.issuer)).scopeLimit(of: "https://in.example/t") == .publicNetwork)
    #expect(try catalog.resolve(named).scopeLimit(of: "https://in.example/t") == .thisMachine)
    var grant = Grant(account: "a", provider: .object(published), client: Client(id: "c"), accessToken: nil, tokenType: nil, issuedAt: 1)
    (grant.provider, grant.providerReference) = (try catalog.resolve(named).source, ProviderCatalog.stored(named, .init()))
    grant.publishedLimit = PublishedLimit(scope: .publicNetwork, namedHosts: [])
    #expect(try grant.resolvedProvider.scopeLimit(of: "https://in.example/t") == .publicNetwork)
    #expect(try grant.described(by: catalog).resolvedProvider.scopeLimit(of: "https://in.example/t") == .thisMachine)
  }
}
