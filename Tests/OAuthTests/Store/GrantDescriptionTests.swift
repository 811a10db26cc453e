import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Grants of earlier releases, whose descriptions have members that no longer exist.
struct GrantDescriptionTests {
  /// The options for OpenID 2.0 associations were in Steam's preset, and so in each grant made with it.
  @Test func aGrantWithRemovedMembersIsRead() throws {
    let text = #"""
      {"account":"a","provider":{"protocol":"openid2","openidEndpoint":"https://steamcommunity.com/openid/login",
      "openidAssociation":"none","openidIdentifier":"https://me.example/","openidRealm":"https://app.example/",
      "openidRegistration":{"required":["email"]},"accessTokenParameters":{"a":"b"},"answerFormat":"json","bodyHash":"sha1",
      "expiresUnit":"absolute","longLivedAuthentication":"body","longLivedParameters":{"a":"b"},
      "openidAttributes":{"required":{"email":"urn:email"},"optional":{"name":"urn:name"},"counts":{"email":"2"}}},
      "providerReference":{"preset":"steam","name":"Mine","openidSession":"DH-SHA1"},
      "providerAdditions":{"openidSignature":"optional"},
      "clientId":"","issuedAt":1,"subject":"https://steamcommunity.com/openid/id/7"}
      """#
    var fields = ObjectReader(try #require(try JSON.parse(Array(text.utf8)).members))
    let grant = try Grant(&fields)
    #expect(try grant.resolvedProvider.openid.openidEndpoint == "https://steamcommunity.com/openid/login")
    #expect(grant.provider["openidAssociation"] == nil && grant.provider["openidAttributes"] == ["required": ["email": "urn:email"]])
    // It follows its preset as before.
    let today = grant.described(by: ProviderCatalog.builtIn).provider
    #expect(today["openidClaimedIds"] == "https://steamcommunity.com/openid/id/" && today["name"] == "Mine")
  }
}
