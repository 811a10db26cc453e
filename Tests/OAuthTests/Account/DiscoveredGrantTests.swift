import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A grant whose provider is named by a URL: what works without discovery, and where its secrets are sent.
struct DiscoveredGrantTests {
  private let discovery = DiscoveryStage()
  private var stage: Stage { discovery.stage }
  private var server: PreparedResponses { discovery.server }

  /// The state after a restart: nothing is in memory.
  @Test func aKeptGrantNeedsNoDiscovery() async throws {
    try await discovery.signIn()
    let later = Stage(PreparedResponses(), store: stage.store, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    let (accounts, request) = (later.accounts, discovery.request)
    #expect(try await accounts.authorize(request).via == .stored)
  }

  /// The grant stores the published document separately from the members that a request adds.
  @Test func anotherReferenceThanTheGrantsNeedsNoDiscovery() async throws {
    try await discovery.signIn()
    let later = Stage(PreparedResponses(), store: stage.store, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    let other = ProviderReference.description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://t.example/token")])
    let provider = try await later.provider(other)
    #expect(provider.tokenEndpoint == "https://t.example/token" && provider.authorizationEndpoint == "https://id.example/a")
    #expect(try await later.provider(.url("https://id.example")).tokenEndpoint == "https://id.example/token")
    // The document stored with one account is not used for another.
    await #expect(throws: Planner.MissingPublication.self) { try await later.provider(other, for: "b") }
  }

  @Test func aPageIsOpenedWhereItIsToday() async throws {
    try await discovery.signIn()
    let network = PreparedResponses()
    network.publish(
      #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/new","token_endpoint":"https://id.example/token"}"#)
    let later = Stage(network, store: stage.store, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    var request = AuthorizationInput()
    request.account = "a"
    request.interaction = .always
    request.waits = false
    request.redirectUri = "app.example:/callback"
    let (prompt, _) = try await later.begin(request)
    #expect(prompt.url.hasPrefix("https://id.example/new?"))
  }

  private var atTheDoor: AuthorizationInput {
    var request = discovery.request
    request.interaction = .always
    return request
  }

  /// A resource chooses its authorization server. A secret for the previous server must not be sent to the new one.
  @Test func aSecretDoesNotFollowToAnotherHost() async throws {
    try await discovery.signIn()
    stage.clock.advance(100_000)
    discovery.publish(token: "https://elsewhere.example/token")
    let failure = await failureOf { try await stage.accounts.authorize(atTheDoor) }
    #expect(failure?.kind == .responseUntrusted && failure?.message.contains("sign the account out") == true, "\(failure?.message ?? "")")
    // A client without a secret may sign in there. So may a client that has signed the account out.
    var open = atTheDoor
    open.credentials.secret = nil
    #expect(try await stage.begin(open).prompt.url.hasPrefix("https://id.example/a?"))
    _ = try await stage.accounts.signOut("a")
    #expect(try await stage.begin(atTheDoor).prompt.url.hasPrefix("https://id.example/a?"))
  }

  /// The caller may choose the host of its own secret.
  @Test func aSecretGoesWhereTheCallerSays() async throws {
    try await discovery.signIn()
    var own = atTheDoor
    own.provider = .description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://own.example/token")])
    #expect(try await stage.begin(own).prompt.url.hasPrefix("https://id.example/a?"))
  }

  /// Some callers use unordered tables, and write them in another order in each run.
  @Test func theOrderOfMembersDoesNotMatter() async throws {
    let members: [JSON.Member] = [.init("discovery", "https://id.example"), .init("name", "Example")]
    try await discovery.signIn()
    try await stage.store.write(stage.accounts.grant("a").naming(.object(members)))
    let network = PreparedResponses()
    let later = Stage(network, store: stage.store, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()))
    _ = try await later.plan(Stage.request(of: .description(members.reversed())))
    #expect(network.requests.isEmpty)
  }

  /// A token for one resource is not valid for another resource of the same server.
  @Test func anotherResourceIsAnotherProvider() async throws {
    func provider(_ resource: String) -> [JSON.Member] {
      ProviderCatalog.merge([.init("authorizationParameters", .object([.init("resource", .string(resource))]))], over: Stage.provider)
    }
    try await stage.keep { $0.provider = .object(provider("https://api.example/one")) }
    var request = Stage.request()
    request.provider = .description(provider("https://api.example/one"))
    #expect(try await stage.accounts.authorize(request).via == .stored)
    request.provider = .description(provider("https://api.example/two"))
    #expect(try await stage.accounts.authorize(request).signIn != nil)
  }

  /// A token endpoint at another host belongs to another provider. Stored tokens are not sent there.
  @Test func aGrantDoesNotFollowToAnotherHost() async throws {
    try await discovery.signIn()
    stage.clock.advance(100_000)
    discovery.publish(token: "https://elsewhere.example/token")
    // For an account without a grant.
    _ = try await stage.accounts.provider(.url("https://id.example"), .init(), in: 60)
    server.add(body: #"{"access_token":"B","expires_in":3600}"#)
    _ = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(server.requests.last?.url == "https://id.example/token")
  }
}

extension Grant {
  fileprivate func naming(_ reference: JSON) -> Grant {
    var grant = self
    grant.providerReference = reference
    return grant
  }
}
