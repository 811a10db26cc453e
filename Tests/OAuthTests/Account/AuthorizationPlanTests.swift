import Testing

@testable import Plans

/// What a request means, as a table: the params, the account's entry of the configuration, its stored grant, and the plan or the fault.
struct AuthorizationPlanTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var claim: String
    var params: String
    var configured: String?
    var stored: String?
    var purpose = AuthorizationInput.Purpose.signIn
    var unreachable: Set<String> = []
    /// The host of the token endpoint and what else is decided, or the fault.
    var expected: String

    init(
      _ claim: String, _ params: String, configured: String? = nil, stored: String? = nil,
      purpose: AuthorizationInput.Purpose = .signIn, unreachable: Set<String> = [], _ expected: String
    ) {
      (self.claim, self.params, self.configured, self.stored) = (claim, params, configured, stored)
      (self.purpose, self.unreachable, self.expected) = (purpose, unreachable, expected)
    }

    var testDescription: String { claim }
  }

  // MARK: Texts

  private static let mine = #"{"authorizationEndpoint":"https://id.example/a","tokenEndpoint":"https://id.example/t"}"#
  /// Like `mine`, but the token goes to another API.
  private static let api =
    #"{"authorizationEndpoint":"https://id.example/a","tokenEndpoint":"https://id.example/t","apiBase":"https://evil.example/"}"#
  /// Like `mine`, but a secret goes to another origin as well.
  private static let leaking =
    #"{"authorizationEndpoint":"https://id.example/a","tokenEndpoint":"https://id.example/t","revocationEndpoint":"https://evil.example/r"}"#
  private static let other = #"{"authorizationEndpoint":"https://evil.example/a","tokenEndpoint":"https://evil.example/t"}"#
  private static let open =
    #"{"authorizationEndpoint":"https://{host}/a","tokenEndpoint":"https://{host}/t","variables":{"host":"id.example"}}"#
  private static let registering =
    #"{"authorizationEndpoint":"https://id.example/a","tokenEndpoint":"https://id.example/t","registrationEndpoint":"https://id.example/r"}"#
  private static let signed =
    #"{"protocol":"oauth1","requestTokenEndpoint":"https://id.example/q","authorizationEndpoint":"https://id.example/a","accessTokenEndpoint":"https://id.example/t","signatureMethod":"RSA-SHA1"}"#

  // MARK: The table

  static let providers: [Row] = [
    Row("no provider anywhere", #"{"account":"a"}"#, "field /provider"),
    Row("neither account nor provider", "{}", "field /provider"),
    Row("the request's provider", #"{"provider":\#(mine),"clientId":"c"}"#, "id.example as id.example client c"),
    Row("a preset names the account", #"{"provider":"github","clientId":"c"}"#, "github.com as github client c"),
    Row("a URL names the account", #"{"provider":"https://known.example/x","clientId":"c"}"#, "known.example as known.example/x client c"),
    Row(
      "the configured provider", #"{"account":"a"}"#, configured: #"{"provider":\#(mine),"clientId":"c"}"#, "id.example as a client c"),
    Row("the stored grant's provider", #"{"account":"a"}"#, stored: "{}", "id.example as a client c secret stored scopes read"),
    Row("an unknown preset", #"{"account":"a","provider":"nope","clientId":"c"}"#, "params /provider"),
    Row(
      "an unknown preset in the configuration", #"{"account":"a"}"#, configured: #"{"provider":"nope","clientId":"c"}"#,
      "configurationInvalid /accounts/a/provider"),
    Row("variables without a provider", #"{"account":"a","variables":{"host":"x"}}"#, stored: "{}", "field /variables"),
    Row(
      "an unknown variable", #"{"account":"a","provider":"notion","variables":{"host":"x"},"clientId":"c"}"#, "params /variables/host"),
    Row(
      "a known variable", #"{"account":"a","provider":"gitlab","variables":{"host":"git.example"},"clientId":"c"}"#,
      "git.example as a client c scopes read_user"),
    Row(
      "an unknown variable in the configuration", #"{"account":"a"}"#,
      configured: #"{"provider":"notion","variables":{"host":"x"},"clientId":"c"}"#, "configurationInvalid /variables/host"),
    Row(
      "a configured variable that the request's provider has not", #"{"account":"a","provider":"github"}"#,
      configured: #"{"variables":{"shop":"x"},"clientId":"c"}"#, "github.com as a client c"),
    Row(
      "a document that has not been fetched", #"{"account":"a","provider":"https://new.example","clientId":"c"}"#,
      "needs https://new.example for request"),
    Row(
      "a document in the stored grant", #"{"account":"a","provider":"https://new.example"}"#,
      stored: #"{"provider":{"discovery":"https://new.example","tokenEndpoint":"https://new.example/t"}}"#,
      "new.example as a client c secret stored"),
    Row("no client", #"{"account":"a","provider":\#(mine)}"#, "field /clientId"),
    Row("no grant, and no question", #"{"account":"a","interaction":"never"}"#, "signInRequired"),
  ]

  static let identity: [Row] = [
    Row(
      "the configured client alone", #"{"account":"a","clientId":"x"}"#, configured: #"{"provider":\#(mine),"clientId":"c"}"#,
      "field /clientId"),
    Row(
      "the configured client by its name", #"{"account":"a","clientId":"c"}"#, configured: #"{"provider":\#(mine),"clientId":"c"}"#,
      "id.example as a client c"),
    Row(
      "another provider than the configured one", #"{"account":"a","provider":\#(other)}"#,
      configured: #"{"provider":\#(mine),"clientId":"c"}"#, "field /provider"),
    Row(
      "the configured provider by a preset's name, without an account",
      #"{"provider":{"preset":"github","apiBase":"https://evil.example/"}}"#,
      configured: #"{"provider":"github","clientId":"c"}"#, "field /provider"),
    Row(
      "the same provider in other words", #"{"account":"a","provider":\#(mine)}"#, configured: #"{"provider":\#(mine),"clientId":"c"}"#,
      "id.example as a client c"),
    Row(
      "the same provider with a leak for secrets", #"{"account":"a","provider":\#(leaking)}"#,
      configured: #"{"provider":\#(mine),"clientId":"c"}"#, "field /provider"),
    Row(
      "the same provider with a leak for tokens", #"{"account":"a","provider":\#(api)}"#,
      configured: #"{"provider":\#(mine),"clientId":"c"}"#, "field /provider"),
    Row(
      "variables that move the provider", #"{"account":"a","variables":{"host":"evil.example"}}"#,
      configured: #"{"provider":\#(open),"clientId":"c"}"#, "field /variables"),
    Row(
      "variables that the configuration sets", #"{"account":"a","variables":{"host":"evil.example"}}"#,
      configured: #"{"provider":"gitlab","variables":{"host":"git.example"},"clientId":"c"}"#, "field /variables"),
    Row(
      "variables that move a preset from its own host", #"{"account":"a","variables":{"host":"evil.example"}}"#,
      configured: #"{"provider":"gitlab","clientId":"c"}"#, "field /variables"),
    Row(
      "variables that the configuration leaves open", #"{"account":"a","variables":{"shop":"s1"}}"#,
      configured: #"{"provider":"shopify","clientId":"c"}"#, "s1.myshopify.com as a client c"),
    Row(
      "the configured provider has not been fetched", #"{"account":"a","provider":\#(mine)}"#,
      configured: #"{"provider":"https://new.example","clientId":"c"}"#, "needs https://new.example for identity"),
    Row(
      "a broken configured provider beside the request's", #"{"account":"a","provider":\#(mine)}"#,
      configured: #"{"provider":"nope","clientId":"c"}"#, "configurationInvalid /accounts/a/provider"),
  ]

  static let secrets: [Row] = [
    Row(
      "to the configured provider", #"{"account":"a"}"#, configured: #"{"provider":\#(mine),"clientId":"c","clientSecret":"s"}"#,
      "id.example as a client c secret s"),
    Row(
      "the request's own instead", #"{"account":"a","clientSecret":"own"}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","clientSecret":"s"}"#, "id.example as a client c secret own"),
    Row(
      "to a preset that the request names", #"{"account":"a","provider":"github"}"#, configured: #"{"clientId":"c","clientSecret":"s"}"#,
      "github.com as a client c secret s"),
    Row(
      "to no preset with another endpoint", #"{"account":"a","provider":{"preset":"github","tokenEndpoint":"https://evil.example/t"}}"#,
      configured: #"{"clientId":"c","clientSecret":"s"}"#, "configurationInvalid /accounts/a/provider"),
    Row(
      "to no preset at the request's host", #"{"account":"a","provider":"gitlab","variables":{"host":"evil.example"}}"#,
      configured: #"{"clientId":"c","clientSecret":"s"}"#, "configurationInvalid /accounts/a/provider"),
    Row(
      "to a preset at the configured host", #"{"account":"a","provider":"gitlab"}"#,
      configured: #"{"clientId":"c","clientSecret":"s","variables":{"host":"git.example"}}"#,
      "git.example as a client c secret s scopes read_user"),
    Row(
      "to no description of the request", #"{"account":"a","provider":\#(mine)}"#, configured: #"{"clientId":"c","clientSecret":"s"}"#,
      "configurationInvalid /accounts/a/provider"),
    Row(
      "not because a grant names the provider", #"{"account":"a"}"#, configured: #"{"clientId":"c","clientSecret":"s"}"#, stored: "{}",
      "configurationInvalid /accounts/a/provider"),
    Row(
      "not because an imported grant has the described provider", #"{"account":"a","provider":\#(mine)}"#,
      configured: #"{"clientId":"c","clientSecret":"s"}"#, stored: "{}", "configurationInvalid /accounts/a/provider"),
    Row(
      "the grant's own, if it is the same", #"{"account":"a"}"#, configured: #"{"clientId":"c","clientSecret":"stored"}"#, stored: "{}",
      "id.example as a client c secret stored scopes read"),
    Row(
      "the same secret to no other origin", #"{"account":"a","provider":\#(leaking)}"#,
      configured: #"{"clientId":"c","clientSecret":"stored"}"#, stored: "{}", "configurationInvalid /accounts/a/provider"),
    Row(
      "a stored secret to no other origin", #"{"account":"a","provider":\#(leaking)}"#, stored: "{}", "id.example as a client c"),
    Row(
      "a stored secret to its own client alone", #"{"account":"a","clientId":"x"}"#, stored: "{}", "id.example as a client x scopes read"),
    Row(
      "to a fetched provider", #"{"account":"a"}"#,
      configured: #"{"provider":"https://known.example/x","clientId":"c","clientSecret":"s"}"#,
      "known.example as a client c secret s"),
    Row(
      "not before the provider has been fetched", #"{"account":"a"}"#,
      configured: #"{"provider":"https://new.example","clientId":"c","clientSecret":"s"}"#,
      stored: #"{"provider":{"discovery":"https://new.example","tokenEndpoint":"https://evil.example/t"}}"#,
      "needs https://new.example for secret"),
    Row(
      "not if the provider cannot be fetched", #"{"account":"a"}"#,
      configured: #"{"provider":"https://new.example","clientId":"c","clientSecret":"s"}"#,
      stored: #"{"provider":{"discovery":"https://new.example","tokenEndpoint":"https://evil.example/t"}}"#,
      unreachable: ["https://new.example"], "evil.example as a client c secret stored"),
    Row(
      "a key to the configured provider", #"{"account":"a"}"#, configured: #"{"provider":\#(signed),"clientId":"c","privateKey":"k"}"#,
      "id.example as a client c key k"),
    Row(
      "no key to the request's description", #"{"account":"a","provider":\#(signed)}"#,
      configured: #"{"clientId":"c","privateKey":"k"}"#, "configurationInvalid /accounts/a/provider"),
  ]

  static let requests: [Row] = [
    Row(
      "the request's scopes over the configured ones", #"{"account":"a","scopes":["x"]}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","scopes":["y"]}"#, "id.example as a client c scopes x"),
    Row(
      "the configured scopes over the provider's", #"{"account":"a"}"#, configured: #"{"provider":"gitlab","clientId":"c","scopes":["y"]}"#,
      "gitlab.com as a client c scopes y"),
    Row(
      "the configured values", #"{"account":"a"}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","flow":"device","redirectUri":"app:/c","parameters":{"p":"1"}}"#,
      "id.example as a client c flow device redirect app:/c with p=1"),
    Row(
      "the request's values", #"{"account":"a","flow":"browser","redirectUri":"app:/r","parameters":{}}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","flow":"device","redirectUri":"app:/c","parameters":{"p":"1"}}"#,
      "id.example as a client c flow browser redirect app:/r"),
    Row("a client that registers itself", #"{"account":"a","provider":\#(registering)}"#, "id.example as a client  registers"),
    Row(
      "a client that is named registers nothing", #"{"account":"a","provider":\#(registering),"clientId":"c"}"#, "id.example as a client c"),
    Row(
      "a registered client is used again", #"{"account":"a","provider":\#(registering)}"#,
      stored: #"{"provider":\#(registering),"isRegistered":true}"#, "id.example as a client c secret stored registers"),
    Row(
      "a client that the user registered registers nothing", #"{"account":"a","provider":\#(registering)}"#,
      stored: #"{"provider":\#(registering)}"#, "id.example as a client c secret stored"),
    Row(
      "the redirect URI of the last sign-in", #"{"account":"a","provider":\#(mine)}"#, stored: #"{"pinned":"app:/p"}"#,
      "id.example as a client c secret stored redirect app:/p"),
    Row(
      "of another client's sign-in", #"{"account":"a","provider":\#(mine),"clientId":"x"}"#, stored: #"{"pinned":"app:/p"}"#,
      "id.example as a client x"),
    Row(
      "a client's own grant keeps its flow", #"{"account":"a"}"#, stored: #"{"parameters":{"audience":"x"}}"#,
      "id.example as a client c secret stored scopes read flow clientCredentials with audience=x"),
    Row(
      "a whole request for the client has no stored parameters",
      #"{"account":"a","provider":\#(mine),"clientId":"c","flow":"clientCredentials"}"#, stored: #"{"parameters":{"audience":"x"}}"#,
      "id.example as a client c secret stored flow clientCredentials"),
    Row(
      "the description's scopes are for users", #"{"account":"a","provider":"gitlab","clientId":"c","flow":"clientCredentials"}"#,
      "gitlab.com as a client c flow clientCredentials"),
    Row("another provider's grant lends nothing", #"{"account":"a","provider":\#(other)}"#, stored: "{}", "field /clientId"),
    Row("more scopes need a grant", #"{"account":"a","scopes":["x"]}"#, purpose: .addScopes, "signInRequired"),
    Row(
      "more scopes from the grant's provider", #"{"account":"a","scopes":["x"]}"#, stored: #"{"email":"u@id.example"}"#,
      purpose: .addScopes,
      "id.example as a client c secret stored scopes x with login_hint=u@id.example"),
    Row(
      "more scopes with the caller's hint", #"{"account":"a","scopes":["x"],"parameters":{"login_hint":"v"}}"#,
      stored: #"{"email":"u@id.example"}"#, purpose: .addScopes, "id.example as a client c secret stored scopes x with login_hint=v"),
    Row(
      "more scopes with the configured client's secret", #"{"account":"a","scopes":["x"]}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","clientSecret":"s","flow":"device","scopes":["y"]}"#, stored: "{}",
      purpose: .addScopes, "id.example as a client c secret s scopes x"),
    Row(
      "more scopes for another client than the configured one", #"{"account":"a","scopes":["x"]}"#,
      configured: #"{"provider":\#(other),"clientId":"d","clientSecret":"s"}"#, stored: "{}", purpose: .addScopes,
      "id.example as a client c secret stored scopes x"),
    Row(
      "an import has no configured scopes", #"{"account":"a"}"#,
      configured: #"{"provider":\#(mine),"clientId":"c","clientSecret":"s","scopes":["y"]}"#, purpose: .importGrant,
      "id.example as a client c secret s"),
    Row(
      "an import for another provider", #"{"account":"a","provider":\#(other)}"#, configured: #"{"provider":\#(mine),"clientId":"c"}"#,
      purpose: .importGrant, "field /provider"),
  ]

  @Test(arguments: providers) func theProvider(row: Row) async throws { #expect(try await row.outcome() == row.expected) }
  @Test(arguments: identity) func theConfiguredProviderAndClient(row: Row) async throws { #expect(try await row.outcome() == row.expected) }
  @Test(arguments: secrets) func whereConfiguredSecretsGo(row: Row) async throws { #expect(try await row.outcome() == row.expected) }
  @Test(arguments: requests) func whatIsRequested(row: Row) async throws { #expect(try await row.outcome() == row.expected) }
}
