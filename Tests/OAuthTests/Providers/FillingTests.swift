import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Placeholders in a description, and where their values may lead.
struct FillingTests {
  private let client = Client(id: "c/1")

  private func filled(_ members: String, _ attributes: [(name: String, value: String)], isComplete: Bool = true) throws -> Provider {
    try Provider.described(members).filled(with: NamedValues(attributes), client: client, isComplete: isComplete)
  }

  @Test func theApiBaseComesFromTheTokens() throws {
    let members =
      #"{"tokenMembers":["instance_url"],"apiBase":"{instance_url}/services/","endpointHosts":["*.my.example"],"apiHosts":["api.example"]}"#
    let provider = try filled(members, [("instance_url", "https://na1.my.example/")])
    #expect(provider.api.apiBase == "https://na1.my.example/services/")
    #expect(AllowedHosts(provider).allows(try URLParts("https://na1.my.example/x")))
    #expect(!AllowedHosts(provider).allows(try URLParts("https://na2.my.example/x")))
    #expect(AllowedHosts(provider).allows(try URLParts("https://api.example/x")))
  }

  @Test(arguments: [
    "https://evil.example", "http://na1.my.example", "https://na1.my.example@evil.example", "https://evil.example#", "javascript:x", "",
    "https://na1.my.example:444", "na1.my.example", "https://127.0.0.1", "http://localhost:1", "https://evil.example/.my.example",
  ])
  func aBaseElsewhereIsNotTrusted(value: String) throws {
    let members = #"{"tokenMembers":["instance_url"],"apiBase":"{instance_url}/services/","endpointHosts":["*.my.example"]}"#
    let failure = #expect(throws: OAuthFailure.self) { try filled(members, [("instance_url", value)]) }
    #expect(failure?.kind == .responseUntrusted)
  }

  @Test(arguments: ["evil.example/x", "a@evil.example", "x.example#", "a b", "x\\y"])
  func aPartOfAHostIsNothingElse(value: String) throws {
    let members = #"{"callbackMembers":["shop"],"apiBase":"https://{shop}.shop.example/","endpointHosts":["*.shop.example"]}"#
    #expect(throws: OAuthFailure.self) { try filled(members, [("shop", value)]) }
    #expect(try filled(members, [("shop", "mine")]).api.apiBase == "https://mine.shop.example/")
  }

  @Test func whatGoesIntoAPathIsEscapedAndNeedsNoList() throws {
    let provider = try filled(
      #"{"callbackMembers":["realmId"],"apiBase":"https://api.example/company/{realmId}/"}"#, [("realmId", "12/../?x#")])
    #expect(provider.api.apiBase == "https://api.example/company/12%2F..%2F%3Fx%23/")
  }

  @Test func headersOfTokenRequestsAreFilledInAsWell() throws {
    let members = #"{"callbackMembers":["seller"],"tokenHeaders":{"X-Seller":"{seller}","X-Client":"{clientId}"}}"#
    let provider = try filled(members, [("seller", "7")])
    #expect(provider.token.tokenHeaders.pairs.map(\.value) == ["7", "c/1"])
    #expect(throws: OAuthFailure.self) { try filled(members, [("seller", "7\r\nX-Evil: 1")]) }
  }

  /// `{accessToken}` is filled in last, and only for a revocation. In other members it is an unknown name.
  @Test func theTokenItselfHasOnePlace() throws {
    let endpoint = "https://id.example/t/{accessToken}/end"
    let provider = try filled(#"{"revocationStyle":"get","revocationEndpoint":"\#(endpoint)"}"#, [])
    #expect(provider.revocation.revocationEndpoint == endpoint)
    for member in ["userInfoEndpoint", "endSessionEndpoint", "longLivedEndpoint", "apiBase"] {
      #expect(throws: OAuthFailure.self, "\(member)") {
        try Provider.described(#"{"longLivedGrantType":"x","\#(member)":"\#(endpoint)"}"#)
      }
    }
  }

  /// A placeholder without a value would be sent unchanged, so it is rejected. Braces that belong to JSON are left alone.
  @Test(arguments: [
    ("authorizationParameters", "{ruName}", false), ("tokenParameters", "a {ruName}", false), ("refreshParameters", "{ruName}", false),
    ("tokenHeaders", "{ruName}", false), ("authorizationParameters", #"{"userinfo":{"email":null}}"#, true),
  ])
  func aParameterWithoutItsValueIsRejected(member: String, value: String, isRight: Bool) throws {
    let own = JSON.object([.init(member, .object([.init("p", .string(value))]))])
    #expect(((try? Provider.described(String(decoding: own.text, as: UTF8.self))) != nil) == isRight)
  }

  @Test func variablesAreTheDefault() throws {
    let members =
      #"{"callbackMembers":["server"],"variables":{"server":"https://id.example"},"tokenEndpoint":"{server}/token","endpointHosts":["id.example","id.eu.example"]}"#
    #expect(try filled(members, []).tokenEndpoint == "https://id.example/token")
    #expect(try filled(members, [("server", "https://id.eu.example")]).tokenEndpoint == "https://id.eu.example/token")
    #expect(throws: OAuthFailure.self) { try filled(members, [("server", "https://id.cn.example")]) }
  }

  @Test func valuesThatNeverComeAreReported() throws {
    let members = #"{"tokenMembers":["instance_url"],"apiBase":"{instance_url}/","endpointHosts":["x.example"]}"#
    #expect(try filled(members, [], isComplete: false).api.apiBase == "{instance_url}/")
    let failure = #expect(throws: OAuthFailure.self) { try filled(members, []) }
    #expect(failure?.kind == .responseUntrusted && failure?.message.contains("instance_url") == true)
  }

  @Test func headersTakeValuesToo() throws {
    let members =
      #"{"tokenMembers":["team"],"variables":{"app":"mine"},"apiHeaders":{"Client-Id":"{clientId}","X-Team":"{team}","X-App":"{app}"}}"#
    let headers = try filled(members, [("team", "T1")]).api.apiHeaders
    #expect(headers == NamedValues([("Client-Id", "c/1"), ("X-Team", "T1"), ("X-App", "mine")]))
    #expect(throws: OAuthFailure.self) { try filled(members, [("team", "T1\r\nEvil: 1")]) }
  }

  /// The error names a placeholder without a value, and says how to give one.
  @Test(arguments: [
    (#"{"tokenEndpoint":"https://{host}/token"}"#, "tokenEndpoint", "host"), (#"{"apiHosts":["{shop}"]}"#, "apiHosts/0", "shop"),
    (#"{"authorizationEndpoint":"https://id.example/{realm}","callbackMembers":["realm"]}"#, "authorizationEndpoint", "realm"),
    (#"{"apiHeaders":{"X-A":"{team}"}}"#, "apiHeaders/X-A", "team"), (#"{"issuer":"https://{host}"}"#, "issuer", "host"),
    (#"{"endpointHosts":["*.{zone}"]}"#, "endpointHosts/0", "zone"),
  ])
  func whatIsMissingIsNamed(members: String, path: String, name: String) {
    let failure = #expect(throws: OAuthFailure.self) { try Provider.described(members) }
    #expect(failure?["path"] == .string("/provider/\(path)"))
    #expect(failure?.message.contains("{\(name)}") == true && failure?.message.contains("variables") == true)
  }

  @Test func variablesOfTheCallerWin() throws {
    let reference = ProviderReference.preset("gitlab")
    let mine = try ProviderCatalog.builtIn.resolve(reference, variables: NamedValues([("host", "git.example")]))
    #expect(mine.tokenEndpoint == "https://git.example/oauth/token")
    let own = ProviderReference.description([.init("preset", "gitlab"), .init("variables", ["host": "other.example"])])
    #expect(try ProviderCatalog.builtIn.resolve(own).tokenEndpoint == "https://other.example/oauth/token")
    #expect(
      try ProviderCatalog.builtIn.resolve(own, variables: NamedValues([("host", "git.example")])).tokenEndpoint
        == "https://git.example/oauth/token"
    )
  }
}
