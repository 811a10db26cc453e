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
    server.add(
      headers: headers,
      body: #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"\#(token)"}"#)
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
    _ = await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
  }

  @Test func whatWasFoundIsGoodForAWhile() async throws {
    publish(headers: [HTTPHeader("Cache-Control", "max-age=1000")])
    try await discover(request)
    stage.clock.advance(999)
    try await discover(request)
    #expect(server.requests.count == 1)
    stage.clock.advance(1)
    publish()
    try await discover(request)
    #expect(server.requests.count == 2)
  }

  /// As after a restart, with nothing in memory.
  @Test func aKeptGrantNeedsNoDiscovery() async throws {
    try await signIn()
    let later = Stage(PreparedAnswers(), store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let (accounts, request) = (later.accounts, request)
    try await accounts.discover(.url("https://id.example"), .init(), for: "a")
    #expect(try await accounts.authorize(request).via == .stored)
  }

  @Test func otherWordsThanTheGrantsAreLookedAt() async throws {
    try await signIn()
    let network = PreparedAnswers()
    let later = Stage(network, store: stage.store, presets: Presets.builtIn.adding(Discoveries()))
    let other = ProviderReference.description([.init("discovery", "https://id.example"), .init("scopes", ["x"])])
    await #expect(throws: OAuthFailure.self) { try await later.accounts.discover(other, .init(), for: "a") }
    #expect(network.requests.map(\.url) == ["https://id.example/.well-known/oauth-authorization-server"])
  }

  @Test func aPageIsOpenedWhereItIsToday() async throws {
    try await signIn()
    let network = PreparedAnswers()
    network.add(
      body:
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
