import Jansson
import Testing

@testable import OAuth

/// Providers that are named by a URL: what is asked of whom, and what a grant that was made so does without it.
struct DiscoveryTests {
  private let server = PreparedAnswers()
  private let stage: Stage

  init() { stage = Stage(server, presets: Presets.builtIn.adding(Discoveries())) }

  private var request: AuthorizeRequest {
    var request = Stage.request()
    request.provider = .url("https://id.example")
    return request
  }

  private func publish(token: String = "https://id.example/token", headers: [HTTPHeader] = []) {
    server.publish(
      #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"\#(token)"}"#, headers: headers)
  }

  private func discover(_ request: AuthorizeRequest) async throws {
    guard let provider = request.provider else { return }
    try await stage.accounts.discover(provider, request.variables, for: request.account)
  }

  private func signIn() async throws {
    publish()
    try await discover(request)
    let (prompt, state) = try await stage.begin(request)
    server.add(body: #"{"access_token":"A","refresh_token":"R","expires_in":3600}"#)
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
  }

  @Test func whatWasFoundIsGoodForAWhile() async throws {
    publish(headers: [HTTPHeader("Cache-Control", "max-age=1000")])
    try await discover(request)
    stage.clock.advance(999)
    try await discover(request)
    #expect(server.requests.count == 3)
    stage.clock.advance(1)
    publish()
    try await discover(request)
    #expect(server.requests.count == 6)
  }

  private func discovered(_ url: String, _ server: Server) async throws -> Discovery.Found {
    var discovery = Discovery(try URLParts(url), http: server)
    return try await discovery.run()
  }

  private static let document =
    #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"https://id.example/t"}"#

  /// What libcurl says of the address that answered; within its scope are the places that the server names.
  @Test(arguments: [NetworkScope.publicNetwork, .privateNetwork])
  func aServerNamesPlacesWithinItsScope(scope: NetworkScope) async throws {
    let asked = EventCount()
    let found = try await discovered(
      "https://api.example/x",
      Server { request throws(HTTPFailure) in
        guard request.url.hasPrefix("https://id.example/") || request.url.hasSuffix("resource/x") else {
          var missing = HTTPResponse(status: 404)
          missing.scope = scope
          return missing
        }
        let resource = #"{"resource":"https://api.example/x","authorization_servers":["https://id.example"]}"#
        let isIssuer = request.url.hasPrefix("https://id.example/")
        #expect(request.scopeLimit == (isIssuer ? scope : .thisMachine))
        asked.add()
        var response = HTTPResponse(status: 200, body: Array((isIssuer ? Self.document : resource).utf8))
        response.scope = scope
        return response
      })
    #expect(found.scope == scope && asked.value == 3)
  }

  /// Requests to what it published stay within its scope; a host that the configuration names may be anywhere.
  @Test func requestsStayWithinTheScopeOfWhoNamedTheirPlace() throws {
    let discoveries = Discoveries()
    let published: [JSON.Member] = [.init("authorizationEndpoint", "https://id.example/a"), .init("tokenEndpoint", "https://in.example/t")]
    discoveries.add(published, of: "https://id.example", until: 0, scope: .publicNetwork)
    let presets = Presets.builtIn.adding(discoveries)
    let request = TokenRequest.refresh(Secret("r"), redirectUri: nil)
    let found = try presets.resolve(.url("https://id.example"))
    #expect(request.httpRequest(found, Client(id: "c"))?.scopeLimit == .publicNetwork)
    let named = try presets.resolve(
      .description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://in.example/token")]))
    #expect(request.httpRequest(named, Client(id: "c"))?.scopeLimit == .thisMachine)
  }

  /// As after a restart, with nothing in memory.
  @Test func aKeptGrantNeedsNoDiscovery() async throws {
    try await signIn()
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let (accounts, request) = (later.accounts, request)
    try await accounts.discover(.url("https://id.example"), .init(), for: "a")
    #expect(try await accounts.authorize(request).via == .stored)
  }

  /// The grant keeps the published document by itself, whatever a request lays over it.
  @Test func otherWordsThanTheGrantsNeedNoDiscoveryEither() async throws {
    try await signIn()
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let accounts = later.accounts
    let other = ProviderReference.description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://t.example/token")])
    try await accounts.discover(other, .init(), for: "a")
    let provider = try accounts.resolve(other, .init(), for: "a")
    #expect(provider.tokenEndpoint == "https://t.example/token" && provider.authorizationEndpoint == "https://id.example/a")
    #expect(try accounts.resolve(.url("https://id.example"), .init(), for: "a").tokenEndpoint == "https://id.example/token")
    // What one account keeps is nothing that another one is told.
    #expect(throws: OAuthFailure.self) { try accounts.resolve(other, .init(), for: "b") }
  }

  /// A grant of an earlier version has the merged description alone, which is good for its own words.
  @Test func aGrantOfAnEarlierVersion() async throws {
    try await signIn()
    var grant = try stage.accounts.grant("a")
    grant.published = nil
    try await stage.store.write(grant)
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let (accounts, request) = (later.accounts, request)
    try await accounts.discover(.url("https://id.example"), .init(), for: "a")
    #expect(try await accounts.authorize(request).via == .stored)
    #expect(try accounts.resolve(.url("https://id.example"), .init(), for: "a").published == nil)
  }

  @Test func otherWordsThanAnEarlierGrantsAreLookedAt() async throws {
    try await signIn()
    var grant = try stage.accounts.grant("a")
    grant.published = nil
    try await stage.store.write(grant)
    let network = PreparedAnswers()
    let later = Stage(network, store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let other = ProviderReference.description([.init("discovery", "https://id.example"), .init("scopes", ["x"])])
    await #expect(throws: OAuthFailure.self) { try await later.accounts.discover(other, .init(), for: "a") }
    #expect(network.requests.map(\.url) == ["https://id.example/.well-known/oauth-protected-resource"])
  }

  @Test func aPageIsOpenedWhereItIsToday() async throws {
    try await signIn()
    let network = PreparedAnswers()
    network.publish(
      #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/new","token_endpoint":"https://id.example/token"}"#)
    let later = Stage(network, store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    var request = AuthorizeRequest()
    request.account = "a"
    request.interaction = .always
    request.waits = false
    request.redirectUri = "app.example:/callback"
    let (prompt, _) = try await later.begin(request)
    #expect(prompt.url.hasPrefix("https://id.example/new?"))
  }

  private var atTheDoor: AuthorizeRequest {
    var request = request
    request.interaction = .always
    return request
  }

  /// A resource decides by itself which server it names; a client's secret for the one of yesterday is none of today's business.
  @Test func aSecretDoesNotFollowToAnotherHost() async throws {
    try await signIn()
    stage.clock.advance(100_000)
    publish(token: "https://elsewhere.example/token")
    let failure = await failureOf { try await stage.accounts.authorize(atTheDoor) }
    #expect(failure?.kind == .responseUntrusted && failure?.message.contains("sign the account out") == true, "\(failure?.message ?? "")")
    // Who has none may sign in there, and so may who has given the account up.
    var open = atTheDoor
    open.clientSecret = nil
    #expect(try await stage.begin(open).prompt.url.hasPrefix("https://id.example/a?"))
    _ = try await stage.accounts.signOut("a")
    #expect(try await stage.begin(atTheDoor).prompt.url.hasPrefix("https://id.example/a?"))
  }

  /// What the caller says by himself is no surprise to him.
  @Test func aSecretGoesWhereTheCallerSays() async throws {
    try await signIn()
    var own = atTheDoor
    own.provider = .description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://own.example/token")])
    #expect(try await stage.begin(own).prompt.url.hasPrefix("https://id.example/a?"))
  }

  @Test func whereNobodyIsAskedNothingIsLookedFor() async throws {
    try await signIn()
    stage.clock.advance(100_000)
    let (accounts, asked) = (stage.accounts, server.requests.count)
    var request = request
    request.interaction = .never
    server.add(status: 400, body: #"{"error":"invalid_grant"}"#)
    let never = request
    #expect(await failureOf { try await accounts.authorize(never) }?.kind == .signInRequired)
    #expect(server.requests.count == asked + 1)
    let failure = await failureOf { try await accounts.discover(.url("https://other.example"), .init(), for: "b", mayBeAsked: false) }
    #expect(failure?.kind == .signInRequired && server.requests.count == asked + 1)
  }

  @Test func ofSlowOnesNobodyWaitsLongerThanHeHas() async throws {
    let slow = Stage(
      Server { _ throws(HTTPFailure) in
        do { try await Task.sleep(for: .seconds(60)) } catch { throw .cancelled }
        return HTTPResponse(status: 404)
      }, presets: Presets.builtIn.adding(Discoveries()))
    let failure = await failureOf { try await slow.accounts.discover(.url("https://id.example"), .init(), in: 1) }
    #expect(failure?.kind == .timedOut && failure?.isRetryable == true)
  }

  /// Some callers' tables have no order, and each run writes them in another one.
  @Test func theOrderOfWordsIsNoOtherWord() async throws {
    let members: [JSON.Member] = [.init("discovery", "https://id.example"), .init("name", "Example")]
    try await signIn()
    try await stage.store.write(stage.accounts.grant("a").naming(.object(members)))
    let network = PreparedAnswers()
    let later = Stage(network, store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    try await later.accounts.discover(.description(members.reversed()), .init(), for: "a")
    #expect(network.requests.isEmpty)
  }

  /// Both are kept under the name that `authorize` gives the account where nobody names one.
  @Test(arguments: [
    ProviderReference.url("https://api.example/mcp"), .description([.init("discovery", "https://api.example/mcp")]),
  ])
  func theAccountIsNamedByTheURL(reference: ProviderReference) throws {
    let discoveries = Discoveries()
    discoveries.add(
      [.init("issuer", "https://id.example"), .init("authorizationEndpoint", "https://id.example/a")], of: "https://api.example/mcp",
      until: .max)
    #expect(try Presets.builtIn.adding(discoveries).resolve(reference).defaultAccount == "api.example/mcp")
  }

  /// Some services want a key in their URL, which is as good as a token.
  @Test(arguments: [404, 200])
  func theQueryOfAURLIsInNoMessage(status: Int) async {
    let body = status == 200 ? #"{"issuer":"https://other.example","resource":"https://other.example"}"# : ""
    let network = Server { _ throws(HTTPFailure) in HTTPResponse(status: status, body: Array(body.utf8)) }
    let stage = Stage(network, presets: Presets.builtIn.adding(Discoveries()))
    let failure = await failureOf { try await stage.accounts.discover(.url("https://id.example/mcp?key=s3cret"), .init()) }
    #expect(failure?.message.contains("https://id.example/mcp") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("s3cret") == false && failure?.account?.contains("s3cret") != true)
  }

  /// A token for one resource is none for another of the same server.
  @Test func anotherResourceIsAnotherProvider() async throws {
    func provider(_ resource: String) -> [JSON.Member] {
      Presets.merge([.init("authorizationParameters", .object([.init("resource", .string(resource))]))], over: Stage.provider)
    }
    try await stage.keep { $0.provider = .object(provider("https://api.example/one")) }
    var request = Stage.request()
    request.provider = .description(provider("https://api.example/one"))
    #expect(try await stage.accounts.authorize(request).via == .stored)
    request.provider = .description(provider("https://api.example/two"))
    #expect(try await stage.accounts.authorize(request).signIn != nil)
  }

  /// A token endpoint at another host is another provider's: what is kept is not sent there.
  @Test func aGrantDoesNotFollowToAnotherHost() async throws {
    try await signIn()
    stage.clock.advance(100_000)
    publish(token: "https://elsewhere.example/token")
    // For an account that has no grant to go by.
    try await stage.accounts.discover(.url("https://id.example"), .init(), for: "other")
    server.add(body: #"{"access_token":"B","expires_in":3600}"#)
    _ = try await stage.accounts.live("a", cause: nil)
    #expect(server.requests.last?.url == "https://id.example/token")
  }
}

extension PreparedAnswers {
  /// No resource's metadata, an issuer's of OAuth, and none of OpenID Connect.
  fileprivate func publish(_ document: String, headers: [HTTPHeader] = []) {
    add(status: 404, body: "")
    add(headers: headers, body: document)
    add(status: 404, body: "")
  }
}

extension Grant {
  fileprivate func naming(_ reference: JSON) -> Grant {
    var grant = self
    grant.providerReference = reference
    return grant
  }
}
