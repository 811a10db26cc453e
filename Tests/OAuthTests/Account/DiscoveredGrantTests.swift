import Jansson
import Testing

@testable import OAuth

/// A grant whose provider is named by a URL: what it does without asking again, and where its secrets go.
struct DiscoveredGrantTests {
  private let discovery = DiscoveryStage()
  private var stage: Stage { discovery.stage }
  private var server: PreparedAnswers { discovery.server }

  /// As after a restart, with nothing in memory.
  @Test func aKeptGrantNeedsNoDiscovery() async throws {
    try await discovery.signIn()
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let (accounts, request) = (later.accounts, discovery.request)
    try await accounts.discover(.url("https://id.example"), .init(), for: "a")
    #expect(try await accounts.authorize(request).via == .stored)
  }

  /// The grant keeps the published document by itself, whatever a request lays over it.
  @Test func otherWordsThanTheGrantsNeedNoDiscoveryEither() async throws {
    try await discovery.signIn()
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
    try await discovery.signIn()
    var grant = try stage.accounts.grant("a")
    grant.published = nil
    try await stage.store.write(grant)
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let (accounts, request) = (later.accounts, discovery.request)
    try await accounts.discover(.url("https://id.example"), .init(), for: "a")
    #expect(try await accounts.authorize(request).via == .stored)
    #expect(try accounts.resolve(.url("https://id.example"), .init(), for: "a").published == nil)
  }

  @Test func otherWordsThanAnEarlierGrantsAreLookedAt() async throws {
    try await discovery.signIn()
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
    try await discovery.signIn()
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
    var request = discovery.request
    request.interaction = .always
    return request
  }

  /// A resource decides by itself which server it names; a client's secret for the one of yesterday is none of today's business.
  @Test func aSecretDoesNotFollowToAnotherHost() async throws {
    try await discovery.signIn()
    stage.clock.advance(100_000)
    discovery.publish(token: "https://elsewhere.example/token")
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
    try await discovery.signIn()
    var own = atTheDoor
    own.provider = .description([.init("discovery", "https://id.example"), .init("tokenEndpoint", "https://own.example/token")])
    #expect(try await stage.begin(own).prompt.url.hasPrefix("https://id.example/a?"))
  }

  /// Some callers' tables have no order, and each run writes them in another one.
  @Test func theOrderOfWordsIsNoOtherWord() async throws {
    let members: [JSON.Member] = [.init("discovery", "https://id.example"), .init("name", "Example")]
    try await discovery.signIn()
    try await stage.store.write(stage.accounts.grant("a").naming(.object(members)))
    let network = PreparedAnswers()
    let later = Stage(network, store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    try await later.accounts.discover(.description(members.reversed()), .init(), for: "a")
    #expect(network.requests.isEmpty)
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
    try await discovery.signIn()
    stage.clock.advance(100_000)
    discovery.publish(token: "https://elsewhere.example/token")
    // For an account that has no grant to go by.
    try await stage.accounts.discover(.url("https://id.example"), .init(), for: "other")
    server.add(body: #"{"access_token":"B","expires_in":3600}"#)
    _ = try await stage.accounts.live("a", cause: nil)
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
