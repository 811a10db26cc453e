import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

struct PresetsTests {
  private let catalog = ProviderCatalog.builtIn

  /// Reads the preset's own members, with the placeholders filled in.
  @Test(arguments: ProviderCatalog.builtIn.names.filter { !ExchangeTests.apps.contains($0) })
  func everyPresetDecodesAndIsHttpsThroughout(name: String) throws {
    let isExchanged = ExchangeTests.catalog.contains(name)
    let provider = try catalog.resolve(isExchanged ? ExchangeReplay(try Exchange(name)).reference : .preset(name))
    #expect(provider.preset == name)
    #expect(provider.defaultAccount == name)
    let begins = provider.openid.openidEndpoint ?? provider.authorizationEndpoint
    let ends = provider.openid.openidEndpoint ?? provider.tokenEndpoint ?? provider.oauth1.accessTokenEndpoint
    #expect(begins != nil && ends != nil)
    #expect(!provider.name.isEmpty)
    let places = (provider.source.members ?? []).filter {
      $0.name.hasSuffix("Endpoint") || ["apiBase", "jwksUri", "issuer"].contains($0.name)
    }
    for place in places {
      let text = try #require(place.value.string)
      #expect(try URLParts(Template(text).sampleURL).scheme == "https", "\(place.name)")
      #expect(Template(text).names.allSatisfy { (provider.lateNames + ["tenantid", "accessToken"]).contains($0) }, "\(place.name)")
    }
    #expect(!AllowedHosts(provider).allows(try URLParts("https://evil.example/")))
    if let base = provider.api.apiBase, !base.hasPrefix("{") {
      #expect(AllowedHosts(provider).allows(try URLParts(Template(base).sampleURL)))
    }
  }

  @Test(arguments: ProviderCatalog.builtIn.names)
  func everyDeviationHasItsReason(name: String) throws {
    let members = try #require(try catalog.description(of: name))
    let reasons = JSON.object(members)["reasons"]?.members ?? []
    func isGiven(_ name: String) -> Bool { reasons.contains { $0.name == name && $0.value.string?.hasSuffix(".") == true } }
    for member in members where Provider.isDeviation(member.name) {
      // One reason for the whole member, or one for each part.
      let parts = (member.value.members ?? []).map { "\(member.name).\($0.name)" }
      let isReasoned = isGiven(member.name) || (!parts.isEmpty && parts.allSatisfy(isGiven))
      #expect(isReasoned, "\(member.name)")
    }
    for reason in reasons { #expect(DottedPath(reason.name)?.value(in: .object(members)) != nil, "a reason for nothing: \(reason.name)") }
    for name in JSON.object(members)["unconfirmed"]?.array ?? [] { #expect(members.contains { .string($0.name) == name }) }
  }

  /// OpenID 2.0, as Steam uses it, has no clients. plentymarkets has a menu for them, but no page.
  @Test func everyPresetNamesWhereToRegister() throws {
    let without = try catalog.names.filter { try catalog.description(of: $0).map { JSON.object($0)["registrationPage"] == nil } ?? true }
    #expect(Set(without) == ["plentymarkets", "steam"])
  }

  /// A wrong `pinnedPort` costs the user one line of setup. A wrong `anyPort` fails in the user's browser.
  @Test(arguments: ProviderCatalog.builtIn.names)
  func aGuessedRedirectPolicyNeverPromisesAnyPort(name: String) throws {
    let description = JSON.object(try #require(try catalog.description(of: name)))
    let isGuessed = description["unconfirmed"]?.array?.contains("redirectPolicy") == true
    #expect(!isGuessed || description["redirectPolicy"] != "anyPort")
  }

  /// Every deviation of a provider, except its endpoints, has a reason, whether or not it is confirmed.
  @Test(arguments: ProviderCatalog.builtIn.names)
  func everyListedDeviationHasItsReason(name: String) throws {
    let description = JSON.object(try #require(try catalog.description(of: name)))
    var provider = try Provider.decode(description)
    provider.source = description
    for deviation in provider.deviations where !deviation.member.hasSuffix("Endpoint") {
      // These are also addresses. They are listed only because they are unconfirmed.
      if deviation.isUnconfirmed, ["issuer", "jwksUri", "apiBase", "registrationPage"].contains(deviation.member) { continue }
      #expect(deviation.reason?.hasSuffix(".") == true, "\(deviation.member)")
    }
  }

  /// A token must not be sent to a host that another party could register. Patterns are only allowed if the provider owns the whole domain. An
  /// address that the provider returns must be among the hosts in the preset.
  @Test(arguments: ProviderCatalog.builtIn.names)
  func tokensGoToTheProvidersOwnHostsAlone(name: String) throws {
    let members = JSON.object(try #require(try catalog.description(of: name)))
    let owned = ["*.googleapis.com", "*.api.mailchimp.com", "*.pipedrive.com", "*.salesforce.com"]
    let hosts = ["apiHosts", "endpointHosts"].flatMap { members[$0]?.array ?? [] }.compactMap(\.string)
    for host in hosts where host.hasPrefix("*") { #expect(owned.contains(host), "\(host)") }
    let late = ["callbackMembers", "tokenMembers"].flatMap { members[$0]?.array ?? [] }
      .compactMap { $0.string.flatMap(DottedPath.init)?.name }
    for place in members.members ?? [] where place.name.hasSuffix("Endpoint") || place.name == "apiBase" {
      let text = try #require(place.value.string)
      // The part before the path: scheme and host.
      let start = text.split(separator: "/", omittingEmptySubsequences: true).prefix(text.hasPrefix("{") ? 1 : 2).joined(separator: "/")
      if Template(start).names.contains(where: late.contains) { #expect(members["endpointHosts"] != nil, "\(place.name)") }
    }
    for member in ["clientId", "clientSecret", "privateKey"] { #expect(members[member] == nil) }
  }

  @Test func overridesMergeDeeply() throws {
    let provider = try catalog.resolve(
      .description([
        .init("preset", "google"), .init("authorizationParameters", ["prompt": "consent", "access_type": "online"]),
        .init("apiHosts", ["x.example"]),
      ]))
    #expect(provider.request.authorizationParameters["include_granted_scopes"] == "true")
    #expect(provider.request.authorizationParameters["access_type"] == "online")
    #expect(provider.request.authorizationParameters["prompt"] == "consent")
    #expect(provider.api.apiHosts == ["x.example"])
    #expect(provider.tokenEndpoint == "https://oauth2.googleapis.com/token")
  }

  @Test func variablesAreFilledIn() throws {
    let mine: [JSON.Member] = [.init("preset", "gitlab"), .init("variables", ["host": "git.example"])]
    let provider = try catalog.resolve(.description(mine))
    #expect(provider.tokenEndpoint == "https://git.example/oauth/token")
    #expect(provider.issuer == "https://git.example")
    #expect(AllowedHosts(provider).allows(try URLParts("https://git.example/api/v4/user")))
    #expect(!AllowedHosts(provider).allows(try URLParts("https://gitlab.com/api/v4/user")))
    let tenant = try catalog.resolve(.description([.init("preset", "microsoft"), .init("variables", ["tenant": "contoso"])]))
    #expect(tenant.tokenEndpoint == "https://login.microsoftonline.com/contoso/oauth2/v2.0/token")
    #expect(try catalog.resolve(.preset("microsoft")).tokenEndpoint == "https://login.microsoftonline.com/common/oauth2/v2.0/token")
    let hosts = try catalog.resolve(.description(mine + [.init("apiHosts", ["api.{host}"])]))
    #expect(hosts.api.apiHosts == ["api.git.example"])
  }

  /// Placeholders must not circumvent the rule that every URL is https.
  @Test(arguments: [
    "http://evil.example/{x}", "http://{host}.evil.example/", "http://evil.{host}/", "ftp://{host}/", "https://{host", "{scheme}://x/",
    "http://evil.example/", "https://a@b/", "https://a/#b", "nonsense",
  ])
  func bracesHideNoPlainHttp(endpoint: String) throws {
    for variables in [[:], ["host": "h.example", "x": "y", "scheme": "http"]] as [JSON] {
      let members: [JSON.Member] = [.init("tokenEndpoint", .string(endpoint)), .init("variables", variables)]
      #expect(throws: OAuthFailure.self) { try catalog.resolve(.description(members)) }
    }
  }

  @Test func aNameWithoutAValueIsRejected() throws {
    let reference = try ProviderReference.read(["tokenEndpoint": "https://{host}/token"], at: "/provider")
    let failure = #expect(throws: OAuthFailure.self) { try catalog.resolve(reference) }
    #expect(failure?["path"] == "/provider/tokenEndpoint")
    #expect(throws: FieldError.self) { try ProviderReference.read(["tokenEndpoint": "http://{host}.com/token"], at: "/provider") }
  }

  @Test(arguments: ["", "https://api.example", "api.example/path", "a b", "user@api.example", "*", "api.example?x", "[::1"])
  func invalidHostsAreRejected(host: String) {
    let failure = #expect(throws: FieldError.self) {
      try ProviderReference.read(["apiHosts": ["ok.example", .string(host)]], at: "/provider")
    }
    #expect(failure?.path == "/provider/apiHosts/1")
  }

  @Test func unknownNamesAndMembersAreReported() {
    #expect(throws: OAuthFailure.self) { try catalog.resolve(.preset("unknown")) }
    #expect(throws: OAuthFailure.self) { try catalog.resolve(.description([.init("preset", "unknown")])) }
    #expect(throws: FieldError.self) { try ProviderReference.read(["tokenEndpiont": "https://x/"], at: "/provider") }
    #expect(throws: FieldError.self) { try ProviderReference.read("http://id.example", at: "/provider") }
    #expect(throws: FieldError.self) { try ProviderReference.read(7, at: "/provider") }
  }
}
