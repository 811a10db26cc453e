import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// How each description member about the authorization request changes it.
struct AuthorizationOptionsTests {
  /// Returns the query of the page, without its constant part.
  private func query(_ members: String, parameters: [(name: String, value: String)] = []) throws -> String {
    let provider = try Provider.described(members)
    let request = AuthorizationRequest(
      endpoint: "https://id.example/authorize", clientId: "c", redirectUri: "app:/cb", scopes: ["a", "b"], state: Secret("st"), nonce: nil,
      pkce: nil, parameters: parameters + provider.request.authorizationParameters.pairs, options: provider.request)
    let url = try #require(request.url)
    return String(url.dropFirst("https://id.example/authorize?".count))
  }

  @Test(arguments: [
    ("{}", "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&scope=a%20b&state=st"),
    (#"{"scopeSeparator":","}"#, "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&scope=a%2Cb&state=st"),
    (#"{"scopeSeparator":"+"}"#, "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&scope=a%2Bb&state=st"),
    (#"{"scopeParameter":"user_scope"}"#, "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&user_scope=a%20b&state=st"),
    (#"{"scopeParameter":"none"}"#, "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&state=st"),
    (
      #"{"scopeParameter":"user_scope","authorizationParameters":{"scope":"bot","state":"evil"}}"#,
      "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&user_scope=a%20b&state=st&scope=bot"
    ),
    (#"{"parameterNames":{"client_id":"client_key"}}"#, "response_type=code&client_key=c&redirect_uri=app%3A%2Fcb&scope=a%20b&state=st"),
    (
      #"{"stateParameter":"customField","authorizationParameters":{"state":"other"}}"#,
      "response_type=code&client_id=c&redirect_uri=app%3A%2Fcb&scope=a%20b&customField=st&state=other"
    ),
    (#"{"parameterNames":{"response_type":""}}"#, "client_id=c&redirect_uri=app%3A%2Fcb&scope=a%20b&state=st"),
  ])
  func whatThePageIsOpenedWith(members: String, expected: String) throws {
    #expect(try query(members) == expected)
  }

  /// A page with a route in its fragment reads its parameters from the fragment.
  @Test func thePagesPathMayBeAFragment() throws {
    let provider = try Provider.described(#"{"authorizationEndpoint":"https://id.example/web/?v=1#/oauth/authorize"}"#)
    let request = AuthorizationRequest(
      endpoint: try #require(provider.authorizationEndpoint), clientId: "c", redirectUri: "app:/cb?x=1#y", scopes: [],
      state: Secret("st"), nonce: nil, pkce: nil, parameters: [], options: provider.request)
    #expect(
      request.url
        == "https://id.example/web/?v=1#/oauth/authorize?response_type=code&client_id=c&redirect_uri=app%3A%2Fcb%3Fx%3D1%23y&state=st")
  }

  private func signIn(_ members: String, secret: Secret? = nil) async throws -> AuthorizationCodeFlow {
    let plan = AuthorizationPlan(
      account: "a", provider: try .described(members), client: Client(id: "c", secret: secret), scopes: [])
    return try await AuthorizationCodeFlow.begin(
      plan, redirectUri: "app:/cb", dependencies: Stage(PreparedResponses()).accounts.dependencies)
  }

  /// A redirect is recognized by its state alone, under the provider's name for it.
  @Test func theStateUnderAnotherName() async throws {
    let signIn = try await signIn(#"{"stateParameter":"customField"}"#)
    let state = try #require(URLParts(signIn.url).query?.split(separator: "customField=").last?.prefix { $0 != "&" }).description
    func claims(_ pairs: [(String, String)]) -> Bool { signIn.claims(pairs.map { RedirectParameter(name: $0.0, value: $0.1) }) }
    #expect(claims([("code", "k"), ("customField", state)]))
    #expect(!claims([("code", "k"), ("state", state)]))
    #expect(!claims([("code", "k"), ("customField", state + "x")]))
    #expect(!claims([("customField", state), ("customField", "other")]), "two of them")
    #expect(!claims([("code", "k")]))
    #expect(signIn.redirect(typed: Secret("k"))?.map(\.name) == ["customField", "code"])
  }

  @Test func withoutASecretToSignWithNoSignInBegins() async throws {
    let members = #"{"requestSignature":{"signature":"sign","timestamp":"time","clientId":"app"}}"#
    let failure = await #expect(throws: OAuthFailure.self) { try await signIn(members) }
    #expect(failure?.kind == .configurationInvalid && failure?["path"] == "/clientSecret")
    await #expect(throws: Never.self) { try await signIn(members, secret: Secret("s")) }
  }

  @Test func aResourceIsSentUnlessTheProviderRejectsIt() throws {
    let resource = [(name: "resource", value: "https://api.example")]
    #expect(try query("{}", parameters: resource).hasSuffix("&state=st&resource=https%3A%2F%2Fapi.example"))
    #expect(try query(#"{"resourceIndicator":"on"}"#, parameters: resource).contains("resource"))
    #expect(try !query(#"{"resourceIndicator":"off"}"#, parameters: resource).contains("resource"))
  }

  @Test(arguments: [("S256", true), ("required", true), ("off", false)])
  func theCodeChallenge(pkce: String, isSent: Bool) async throws {
    var plan = AuthorizationPlan(
      account: "a", provider: try .described(#"{"pkce":"\#(pkce)"}"#), client: Client(id: "c"), scopes: [])
    plan.request.redirectUri = "app:/cb"
    let dependencies = Stage(PreparedResponses()).accounts.dependencies
    let url = try await AuthorizationCodeFlow.begin(plan, redirectUri: "app:/cb", dependencies: dependencies).url
    #expect(url.contains("code_challenge=") == isSent)
  }

  /// A description based on a preset cannot drop what the provider requires. It can drop what the provider merely supports.
  @Test func aRequiredCodeChallengeStays() throws {
    let folder = try TemporaryFolder()
    _ = folder.write("strict.json", Array(#"{"tokenEndpoint":"https://id.example/token","pkce":"required"}"#.utf8))
    let catalog = ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path))
    for pkce in ["off", "S256"] {
      let failure = #expect(throws: OAuthFailure.self) {
        try catalog.resolve(.description([.init("preset", "strict"), .init("pkce", .string(pkce))]))
      }
      #expect(failure?["path"] == "/provider/pkce")
    }
    #expect(try catalog.resolve(.description([.init("preset", "strict"), .init("pkce", "required")])).request.pkce == .required)
    #expect(try catalog.resolve(.description([.init("preset", "google"), .init("pkce", "off")])).request.pkce == .off)
  }

  private func code(_ parameters: [(String, String)], issuer: String? = nil, codeParameter: String = "code") -> Secret? {
    let found = AuthorizationRequest.Response(
      parameters.map { RedirectParameter(name: $0.0, value: $0.1) }, issuer: issuer, page: "https://login.example/authorize?x=1",
      codeParameter: codeParameter)
    return if case .code(let code) = found { code } else { nil }
  }

  @Test func theCodeMayHaveAnotherName() {
    #expect(code([("code", "x"), ("spapi_oauth_code", "y")], codeParameter: "spapi_oauth_code") == Secret("y"))
    #expect(code([("code", "x")], codeParameter: "spapi_oauth_code") == nil)
    #expect(code([("spapi_oauth_code", "y"), ("spapi_oauth_code", "z")], codeParameter: "spapi_oauth_code") == nil)
  }

  @Test(arguments: [
    ("https://login.example/9188040d-6c67/v2.0", true), ("https://login.example/contoso.com/v2.0", false),
    ("https://login.example//v2.0", false), ("https://login.example/a/b/v2.0", false), ("https://evil.example/x/v2.0", false),
    ("https://login.example/x/v2.0/", false), ("https://login.example/{tenantid}/v2.0", false), ("https://login.example/x", false),
  ])
  func anIssuerOfManyTenants(iss: String, isTrusted: Bool) {
    let found = code([("code", "c"), ("iss", iss)], issuer: "https://login.example/{tenantid}/v2.0")
    #expect((found != nil) == isTrusted)
  }

  /// If the description names no issuer, the page's origin is used.
  @Test(arguments: [
    ("https://login.example", true), ("https://login.example/tenant", true), ("https://login.example:443/", true),
    ("https://evil.example", false), ("http://login.example", false), ("https://login.example:8443", false),
    ("https://login.example.evil.example", false), ("login.example", false), ("", false),
  ])
  func anIssuerThatIsNotDescribed(iss: String, isTrusted: Bool) {
    #expect((code([("code", "c"), ("iss", iss)]) != nil) == isTrusted)
  }
}
