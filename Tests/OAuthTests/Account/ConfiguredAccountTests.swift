import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// When the configuration of an account is read, and when its secrets are loaded.
struct ConfiguredAccountTests {
  private let server = PreparedResponses()
  private let loads = EventCount()

  /// A stage whose configuration has one account.
  private func stage(_ name: String, _ text: String) throws -> Stage {
    let entry = try ConfiguredAccount.decode(JSON.parse(Array(text.utf8)))
    return Stage(
      server, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache()), configured: { $0 == name ? entry : nil },
      secret: { [loads] _, _, member in
        loads.add()
        return Secret("loaded \(member)")
      })
  }

  /// The account that such a request is for by default has a configuration. Another client must not take its place.
  @Test(arguments: [
    ("github", #"{"preset":"github","scopes":["x"]}"#), ("github", #""github""#),
    ("id.example", #"{"authorizationEndpoint":"https://id.example/a","tokenEndpoint":"https://id.example/t"}"#),
  ])
  func aRequestWithoutAnAccountIsForItsProvidersAccount(name: String, provider: String) async throws {
    let stage = try stage(name, #"{"clientId":"mine"}"#)
    var request = AuthorizationInput()
    request.provider = try .read(JSON.parse(Array(provider.utf8)), at: "")
    request.clientId = "another"
    let asked = request
    let fault = await #expect(throws: FieldError.self) { try await stage.accounts.authorize(asked) }
    #expect(fault?.path == "/clientId")
  }

  /// The document that the URL publishes decides nothing about the name.
  @Test func aURLNamesTheAccount() throws {
    var request = AuthorizationInput()
    request.provider = .url("https://api.example/mcp/")
    #expect(try AuthorizationPlan.account(of: request, .builtIn) == "api.example/mcp")
  }

  @Test func aSecretIsLoadedForTheConfiguredClientAlone() async throws {
    let provider = JSON.object(Stage.provider)
    let stage = try stage("a", #"{"clientId":"client","clientSecret":{"env":"X"}}"#)
    var request = Stage.request()
    _ = try await stage.plan(request)
    #expect(loads.value == 0, "the request brings its own")
    (request.clientId, request.credentials.secret) = ("other", nil)
    await #expect(throws: FieldError.self) { try await stage.plan(request) }
    #expect(loads.value == 0, "the request is for another client")
    let named = try self.stage(
      "a", #"{"clientId":"client","clientSecret":{"env":"X"},"provider":\#(String(decoding: provider.text, as: UTF8.self))}"#)
    request.clientId = nil
    let plan = try await named.plan(request)
    #expect(loads.value == 1 && plan.client.secret == Secret("loaded clientSecret"))
  }

  @Test func addedScopesLoadNoSecretOfAnotherClient() async throws {
    let text = #"{"clientId":"other","clientSecret":{"env":"X"},"provider":"github"}"#
    let stage = try stage("a", text)
    try await stage.keep()
    var request = AuthorizationInput()
    (request.account, request.scopes) = ("a", ["read"])
    let authorization = try await stage.accounts.addScopes(request)
    #expect(authorization.via == .stored && loads.value == 0)
  }

  /// A secret's command may take a minute. Another process may sign the account out meanwhile.
  @Test func aGrantThatIsRemovedWhileASecretIsLoadedIsNotUsed() async throws {
    let store = MemoryStore()
    let provider = String(decoding: JSON.object(Stage.provider).text, as: UTF8.self)
    let text = #"{"clientId":"client","clientSecret":{"command":["x"]},"provider":\#(provider)}"#
    let entry = try ConfiguredAccount.decode(JSON.parse(Array(text.utf8)))
    let stage = Stage(
      server, store: store, configured: { _ in entry },
      secret: { _, account, _ in
        store.remove(account)
        return Secret("client-secret")
      })
    try await stage.keep()
    var request = AuthorizationInput()
    (request.account, request.interaction) = ("a", .never)
    let asked = request
    let failure = await failureOf { try await stage.accounts.authorize(asked) }
    #expect(failure?.kind == .signInRequired)
  }
}
