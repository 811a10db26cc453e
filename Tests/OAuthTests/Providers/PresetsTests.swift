import Jansson
import Testing

@testable import OAuth

struct PresetsTests {
  private let presets = Presets.builtIn

  /// The preset's own members, with what stands between braces filled in.
  @Test(arguments: Presets.builtIn.names)
  func everyPresetDecodesAndIsHttpsThroughout(name: String) throws {
    let isExchanged = ExchangeTests.presets.contains(name)
    let provider = try presets.resolve(isExchanged ? ExchangeReplay(try Exchange(name)).reference : .preset(name))
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

  @Test(arguments: Presets.builtIn.names)
  func everyDeviationHasItsReason(name: String) throws {
    let members = try #require(try presets.description(of: name))
    let reasons = JSON.object(members)["reasons"]?.members ?? []
    func isGiven(_ name: String) -> Bool { reasons.contains { $0.name == name && $0.value.string?.hasSuffix(".") == true } }
    for member in members where Provider.isDeviation(member.name) {
      // One reason for all of it, or one for each part.
      let parts = (member.value.members ?? []).map { "\(member.name).\($0.name)" }
      let isReasoned = isGiven(member.name) || (!parts.isEmpty && parts.allSatisfy(isGiven))
      #expect(isReasoned, "\(member.name)")
    }
    for reason in reasons { #expect(DottedPath(reason.name)?.value(in: .object(members)) != nil, "a reason for nothing: \(reason.name)") }
    for name in JSON.object(members)["unconfirmed"]?.array ?? [] { #expect(members.contains { .string($0.name) == name }) }
  }

  /// Steam's OpenID 2.0 knows no clients, and plentymarkets has a menu for them and no page.
  @Test func everyPresetNamesWhereToRegister() throws {
    let without = try presets.names.filter { try presets.description(of: $0).map { JSON.object($0)["registrationPage"] == nil } ?? true }
    #expect(Set(without) == ["plentymarkets", "steam"])
  }

  /// A wrong `pinnedPort` costs a line of set-up; a wrong `anyPort` fails in the user's browser.
  @Test(arguments: Presets.builtIn.names)
  func aGuessedRedirectPolicyNeverPromisesAnyPort(name: String) throws {
    let description = JSON.object(try #require(try presets.description(of: name)))
    let isGuessed = description["unconfirmed"]?.array?.contains("redirectPolicy") == true
    #expect(!isGuessed || description["redirectPolicy"] != "anyPort")
  }

  /// What is told of a provider beside where its endpoints are is told with a reason, whether or not it is confirmed.
  @Test(arguments: Presets.builtIn.names)
  func whateverIsToldOfAProviderHasItsReason(name: String) throws {
    let description = JSON.object(try #require(try presets.description(of: name)))
    var provider = try Provider.decode(description)
    provider.source = description
    for deviation in provider.deviations where !deviation.member.hasSuffix("Endpoint") {
      // These say where something is as well, and stand here for nothing but being unconfirmed.
      if deviation.isUnconfirmed, ["issuer", "jwksUri", "apiBase", "registrationPage"].contains(deviation.member) { continue }
      #expect(deviation.reason?.hasSuffix(".") == true, "\(deviation.member)")
    }
  }

  /// A token goes to no host that somebody else could register: a pattern is only there where the whole domain is the provider's, and what a provider
  /// says of its own address has to be among hosts that stand in the preset.
  @Test(arguments: Presets.builtIn.names)
  func tokensGoToTheProvidersOwnHostsAlone(name: String) throws {
    let members = JSON.object(try #require(try presets.description(of: name)))
    let owned = ["*.googleapis.com", "*.api.mailchimp.com", "*.salesforce.com"]
    let hosts = ["apiHosts", "endpointHosts"].flatMap { members[$0]?.array ?? [] }.compactMap(\.string)
    for host in hosts where host.hasPrefix("*") { #expect(owned.contains(host), "\(host)") }
    let late = ["callbackMembers", "tokenMembers"].flatMap { members[$0]?.array ?? [] }
      .compactMap { $0.string.flatMap(DottedPath.init)?.name }
    for place in members.members ?? [] where place.name.hasSuffix("Endpoint") || place.name == "apiBase" {
      let text = try #require(place.value.string)
      // What stands before the path: scheme and host.
      let start = text.split(separator: "/", omittingEmptySubsequences: true).prefix(text.hasPrefix("{") ? 1 : 2).joined(separator: "/")
      if Template(start).names.contains(where: late.contains) { #expect(members["endpointHosts"] != nil, "\(place.name)") }
    }
    for member in ["clientId", "clientSecret", "privateKey"] { #expect(members[member] == nil) }
  }

  @Test func overridesMergeDeeply() throws {
    let provider = try presets.resolve(
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
    let provider = try presets.resolve(.description(mine))
    #expect(provider.tokenEndpoint == "https://git.example/oauth/token")
    #expect(provider.issuer == "https://git.example")
    #expect(AllowedHosts(provider).allows(try URLParts("https://git.example/api/v4/user")))
    #expect(!AllowedHosts(provider).allows(try URLParts("https://gitlab.com/api/v4/user")))
    let tenant = try presets.resolve(.description([.init("preset", "microsoft"), .init("variables", ["tenant": "contoso"])]))
    #expect(tenant.tokenEndpoint == "https://login.microsoftonline.com/contoso/oauth2/v2.0/token")
    #expect(try presets.resolve(.preset("microsoft")).tokenEndpoint == "https://login.microsoftonline.com/common/oauth2/v2.0/token")
    let hosts = try presets.resolve(.description(mine + [.init("apiHosts", ["api.{host}"])]))
    #expect(hosts.api.apiHosts == ["api.git.example"])
  }

  /// Braces are no way around the rule that everything is https.
  @Test(arguments: [
    "http://evil.example/{x}", "http://{host}.evil.example/", "http://evil.{host}/", "ftp://{host}/", "https://{host", "{scheme}://x/",
    "http://evil.example/", "https://a@b/", "https://a/#b", "nonsense",
  ])
  func bracesHideNoPlainHttp(endpoint: String) throws {
    for variables in [[:], ["host": "h.example", "x": "y", "scheme": "http"]] as [JSON] {
      let members: [JSON.Member] = [.init("tokenEndpoint", .string(endpoint)), .init("variables", variables)]
      #expect(throws: OAuthFailure.self) { try presets.resolve(.description(members)) }
    }
  }

  @Test func aNameWithoutAValueIsRefused() throws {
    let reference = try ProviderReference.read(["tokenEndpoint": "https://{host}/token"], at: "/provider")
    let failure = #expect(throws: OAuthFailure.self) { try presets.resolve(reference) }
    #expect(failure?["path"] == "/provider/tokenEndpoint")
    #expect(throws: FieldError.self) { try ProviderReference.read(["tokenEndpoint": "http://{host}.com/token"], at: "/provider") }
  }

  @Test(arguments: ["", "https://api.example", "api.example/path", "a b", "user@api.example", "*", "api.example?x", "[::1"])
  func whatIsNoHostIsRefused(host: String) {
    let failure = #expect(throws: FieldError.self) {
      try ProviderReference.read(["apiHosts": ["ok.example", .string(host)]], at: "/provider")
    }
    #expect(failure?.path == "/provider/apiHosts/1")
  }

  @Test func unknownNamesAndMembersAreTold() {
    #expect(throws: OAuthFailure.self) { try presets.resolve(.preset("nobody")) }
    #expect(throws: OAuthFailure.self) { try presets.resolve(.description([.init("preset", "nobody")])) }
    #expect(throws: FieldError.self) { try ProviderReference.read(["tokenEndpiont": "https://x/"], at: "/provider") }
    #expect(throws: FieldError.self) { try ProviderReference.read("http://id.example", at: "/provider") }
    #expect(throws: FieldError.self) { try ProviderReference.read(7, at: "/provider") }
  }
}
