import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Dry runs with the built-in presets: every request of a sign-in and of the calls after it.
struct DryRunTests {
  /// Returns values for the placeholders that the preset has.
  private static func variables(_ preset: String) -> NamedValues<String> {
    let unknown = ProviderCatalog.builtIn.unknownNames(of: all, for: .preset(preset))
    return NamedValues(all.pairs.filter { !unknown.contains($0.name) })
  }

  private static let all = NamedValues([
    ("domain", "acme.example"), ("host", "acme.example"), ("realm", "acme"), ("shop", "acme"), ("handle", "acme"), ("application", "app"),
    ("ruName", "ru"), ("redirectUri", "https://app.example/callback"), ("region", "eu-west-1"), ("pool", "acme"), ("subdomain", "acme"),
  ])

  private func steps(_ preset: String, flow: AuthorizationInput.Flow = .auto) async throws -> [DryRun.Step] {
    var request = AuthorizationInput()
    request.provider = .preset(preset)
    request.clientId = "client-1"
    request.credentials.secret = Secret("client-secret")
    request.redirectUri = "https://app.example/callback"
    request.variables = Self.variables(preset)
    request.flow = flow
    let server = PreparedResponses()
    let steps = try await Stage(server).accounts.dryRun(request).dryRun.steps
    #expect(server.requests.isEmpty)
    return steps
  }

  private static func provider(_ preset: String) throws -> Provider {
    try ProviderCatalog.builtIn.resolve(.preset(preset), variables: variables(preset))
  }

  @Test(arguments: ProviderCatalog.builtIn.names.filter { !ExchangeTests.apps.contains($0) })
  func everythingThatIsSentIsShownAndFilled(preset: String) async throws {
    let provider = try Self.provider(preset)
    let steps = try await steps(preset)
    let names = Set(steps.map(\.name))
    switch provider.protocolName {
    case .oauth2: #expect(names.contains("token") && names.contains("refresh"))
    case .oauth1: #expect(names.isSuperset(of: ["requestToken", "accessToken"]))
    case .openid2: #expect(names.contains("checkAuthentication"))
    }
    let isRevocable = provider.revocation.revocationEndpoint != nil && provider.revocation.revocationStyle != RevocationOptions.Style.none
    #expect(names.contains("revocation") == isRevocable)
    #expect(names.contains("callAPI") == (provider.api.apiBase != nil))
    for step in steps {
      #expect(!step.url.contains("{"), "\(step.name) \(step.url)")
      for (name, value) in step.headers.pairs { #expect(!value.contains("{"), "\(step.name) \(name): \(value)") }
      #expect(!step.url.contains("client-secret") && step.body?.contains("client-secret") != true)
    }
  }

  @Test(arguments: [
    (
      "https://a.example/x?oauth_signature=AbC%3D&next=1&oauth_signature=dEf",
      "https://a.example/x?oauth_signature=…&next=1&oauth_signature=…"
    ),
    (#"OAuth oauth_signature="AbC", oauth_signature="dEf", x="y""#, #"OAuth oauth_signature="…", oauth_signature="…", x="y""#),
    ("no signature", "no signature"),
  ])
  func everySignatureIsMasked(text: String, shown: String) throws {
    let plan = AuthorizationPlan(
      account: "a", provider: try Self.provider("github"), client: Client(id: "client-1"), scopes: [])
    #expect(RequestMask(of: plan).shown(text) == shown)
  }

  @Test func aTokenIsEndedByARequestThatItSigns() async throws {
    let step = try #require(try await steps("x-oauth1").last)
    #expect(step.name == "revocation" && step.method == "POST" && step.url == "https://api.x.com/1.1/oauth/invalidate_token.json")
    let authorization = try #require(step.headers["Authorization"])
    #expect(authorization.contains(#"oauth_token="ACCESS_TOKEN""#) && authorization.hasSuffix(#"oauth_signature="…""#))
  }

  @Test func anAnswerIsCheckedByAskingTheProvider() async throws {
    let steps = try await steps("steam")
    #expect(steps.map(\.name) == ["checkAuthentication"])
    #expect(steps[0].method == "POST" && steps[0].url == "https://steamcommunity.com/openid/login")
    let fields = FormEncoding.decodeLeniently(steps[0].body ?? "")
    func field(_ name: String) -> String? { fields.first { $0.0 == "openid." + name }?.1 }
    #expect(field("mode") == "check_authentication" && field("claimed_id") == "https://steamcommunity.com/openid/id/USER")
    #expect(field("response_nonce") == "1970-01-12T13:46:40ZNONCE")
    #expect(field("return_to")?.hasPrefix("https://app.example/callback?state=") == true)
  }

  @Test func whatTheRedirectTellsHasAPlaceholder() async throws {
    let steps = try await steps("zoho")
    #expect(steps.map(\.name) == ["token", "refresh", "callAPI", "revocation"])
    #expect(
      steps.map(\.url) == [
        "https://accounts.zoho.com/oauth/v2/token", "https://accounts.zoho.com/oauth/v2/token", "https://api-domain.invalid/",
        "https://accounts.zoho.com/oauth/v2/token/revoke?token=REFRESH_TOKEN",
      ])
    #expect(try await self.steps("quickbooks").first { $0.name == "callAPI" }?.url.hasSuffix("/company/REALMID/") == true)
    #expect(try await self.steps("salesforce").first { $0.name == "callAPI" }?.url == "https://instance-url.invalid/services/data/v62.0/")
  }

  @Test(arguments: [AuthorizationInput.Flow.browser, .device])
  func headersOfTheAPINameTheClient(flow: AuthorizationInput.Flow) async throws {
    let call = try #require(try await steps("twitch", flow: flow).first { $0.name == "callAPI" })
    #expect(call.headers["Client-Id"] == "client-1")
  }

  /// A placeholder at the start of an address is its whole origin. A name without a usual value also gets a placeholder value.
  @Test func originsThatOnlyTheProviderKnows() async throws {
    let request = Stage.request(with: [
      .init("tokenEndpoint", "{accounts_server}/token"), .init("refreshEndpoint", "https://{region}.example/refresh"),
      .init("callbackMembers", ["accounts_server", "region"]), .init("endpointHosts", ["a.example"]),
      .init("apiBase", "https://api.example/{region}/"),
    ])
    let steps = try await Stage(PreparedResponses()).accounts.dryRun(request).dryRun.steps
    #expect(
      steps.map(\.url) == ["https://accounts-server.invalid/token", "https://REGION.example/refresh", "https://api.example/REGION/"])
  }
}
