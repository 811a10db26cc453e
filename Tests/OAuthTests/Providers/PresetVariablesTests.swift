import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Values for placeholders: only for existing names, and only values that fit their places.
struct PresetVariablesTests {
  private func fault(_ preset: String, _ variables: [(String, String)]) -> OAuthFailure? {
    do throws(OAuthFailure) {
      _ = try ProviderCatalog.builtIn.resolve(.preset(preset), variables: NamedValues(variables))
      return nil
    } catch {
      return error
    }
  }

  @Test func theErrorForAnUnknownNameListsTheKnownOnes() throws {
    let found = try #require(fault("microsoft", [("tenat", "contoso")]))
    #expect(found.kind == .configurationInvalid && found["path"] == "/variables/tenat" && found["known"] == ["tenant"])
    #expect(found.message == "/variables/tenat is unknown: the provider's variables are tenant")
    #expect(fault("notion", [("host", "x")])?.message == "/variables/host is unknown: the provider takes no variables")
    // The caller must not set values that come from the client or an ID token.
    #expect(fault("microsoft", [("tenantid", "x")])?["path"] == "/variables/tenantid")
    #expect(fault("twitch", [("clientId", "x")])?["path"] == "/variables/clientId")
    // The same holds for the caller's own description.
    let own: [JSON.Member] = [.init("preset", "microsoft"), .init("variables", ["tenat": "x"])]
    let failure = #expect(throws: OAuthFailure.self) { try ProviderCatalog.builtIn.resolve(.description(own)) }
    #expect(failure?["path"] == "/provider/variables/tenat")
  }

  /// The fuzzer found that a DEL in a description's {name} came into the message.
  @Test func theErrorForAMissingValueIsPlainText() {
    let own: [JSON.Member] = [.init("preset", "github"), .init("userInfoEndpoint", "https://{h\u{7f}st}/user")]
    let failure = #expect(throws: OAuthFailure.self) { try ProviderCatalog.builtIn.resolve(.description(own)) }
    #expect(failure?.message.hasPrefix("/provider/userInfoEndpoint needs a value for {hst}: ") == true)
  }

  @Test(arguments: [
    ("gitlab", "host", "git.example"), ("gitlab", "host", "git.example:8443"), ("gitlab", "host", "localhost"),
    ("gitlab", "host", "[::1]:80"), ("gitlab", "host", "git.example:8443/a/b-c_~.d"), ("gitea", "host", "git.example/a"),
    ("microsoft", "tenant", "contoso.onmicrosoft.com"), ("amazon", "tld", "co.uk"), ("shopify", "shop", "acme"),
    ("zoho", "accounts-server", "https://accounts.zoho.eu"), ("spark", "application", "My App, 1.0"), ("facebook", "version", "v23.0"),
  ])
  func valuesThatFitAreAccepted(preset: String, name: String, value: String) {
    #expect(fault(preset, [(name, value)]) == nil)
  }

  @Test(arguments: [
    ("gitlab", "host", "https://git.example/"), ("gitlab", "host", "https://git.example"), ("gitlab", "host", "git.example/x/"),
    ("gitlab", "host", "git.example/../x"), ("gitlab", "host", "git.example/%2e%2e"), ("gitlab", "host", "git.example/x?y"),
    ("gitlab", "host", "git.example/x#y"), ("gitlab", "host", "git.example/x@y"), ("gitlab", "host", "/x"), ("gitlab", "host", "a//b"),
    ("gitlab", "host", "evil.example?"), ("gitlab", "host", "a@b"), ("gitlab", "host", "a b"), ("gitlab", "host", ""),
    ("gitlab", "host", "a#"),
    ("microsoft", "tenant", "a/b"), ("microsoft", "tenant", "a?b"), ("microsoft", "tenant", "a#b"), ("microsoft", "tenant", "a b"),
    ("microsoft", "tenant", "a\n"), ("microsoft", "tenant", ""), ("microsoft", "tenant", ".."), ("shopify", "shop", "evil.example/"),
    ("zoho", "accounts-server", "accounts.zoho.eu"), ("zoho", "accounts-server", "http://accounts.zoho.eu"),
    ("spark", "application", "a\r\nX: 1"), ("spark", "application", ""),
  ])
  func valuesThatDoNotFitAreRejected(preset: String, name: String, value: String) {
    let found = fault(preset, [(name, value)])
    #expect(found?.kind == .configurationInvalid && found?["path"] == .string("/variables/\(name)"))
  }

  /// Variables configured for an account may belong to another provider than the one that the caller names.
  @Test func namesOfAnotherProviderAreKnownAsSuch() {
    let variables = NamedValues([("shop", "git.example"), ("tenant", "contoso"), ("x/y", "z")])
    #expect(ProviderCatalog.builtIn.unknownNames(of: variables, for: .preset("microsoft")) == ["shop", "x/y"])
    #expect(ProviderCatalog.builtIn.unknownNames(of: variables, for: .preset("github")) == ["shop", "tenant", "x/y"])
    #expect(ProviderCatalog.builtIn.unknownNames(of: variables, for: .preset("unknown")) == [])
  }

  @Test func theErrorForAPastedAddressShowsTheRightForm() {
    #expect(
      fault("gitlab", [("host", "https://gitlab.example.com/")])?.message.contains("without https:// before it") == true)
  }

  /// GitHub's API is at another place on each kind of host.
  @Test(arguments: [
    ("github.com", "https://api.github.com/", ["api.github.com", "uploads.github.com"], "ghcr.io"),
    ("octo.ghe.com", "https://api.octo.ghe.com/", ["api.octo.ghe.com", "uploads.octo.ghe.com"], "containers.octo.ghe.com"),
    ("git.example:8443", "https://git.example:8443/api/v3/", ["git.example:8443", "git.example:8443"], "containers.git.example:8443"),
  ]) func aHostChoosesFurtherValues(host: String, base: String, hosts: [String], registry: String) throws {
    let provider = try ProviderCatalog.builtIn.resolve(.preset("github"), variables: NamedValues([("host", host)]))
    #expect(provider.api.apiBase == base && provider.userInfoEndpoint == base + "user" && provider.api.apiHosts == hosts)
    #expect(provider.tokenEndpoint == "https://\(host)/login/oauth/access_token" && provider.api.gitHosts == [host])
    #expect(provider.api.registryHosts == [registry])
  }

  /// Lists of hosts get the host alone, because a token is allowed by host.
  @Test(arguments: ["gitea", "gitlab"]) func aServerMayRunBelowAPath(preset: String) throws {
    let provider = try ProviderCatalog.builtIn.resolve(.preset(preset), variables: NamedValues([("host", "example.com/scm")]))
    #expect(provider.api.apiBase?.hasPrefix("https://example.com/scm/api/v") == true && provider.api.gitHosts == ["example.com"])
    #expect(provider.tokenEndpoint?.hasPrefix("https://example.com/scm/") == true)
  }

  @Test(arguments: ["acme", "acme.myshopify.com", "Acme.MyShopify.com"]) func aWholeDomainIsUnderstoodAsItsName(shop: String) throws {
    let provider = try ProviderCatalog.builtIn.resolve(.preset("shopify"), variables: NamedValues([("shop", shop)]))
    #expect(provider.tokenEndpoint?.lowercased() == "https://acme.myshopify.com/admin/oauth/access_token")
    #expect(provider.api.apiHosts?.map { $0.lowercased() } == ["acme.myshopify.com"])
  }

  /// Every preset's own values pass the check.
  @Test(arguments: ProviderCatalog.builtIn.names)
  func theValuesOfPresetsFit(preset: String) throws {
    let path = fault(preset, [])?["path"]?.string ?? ""
    #expect(!path.contains("variables"))
  }
}
