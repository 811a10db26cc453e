import Jansson
import Testing

@testable import OAuth

/// Grants of earlier releases, whose descriptions have members that are gone.
struct GrantDescriptionTests {
  /// The options of OpenID 2.0's associations were in Steam's preset, and so in each grant that was made with it.
  @Test func aGrantWithRemovedMembersIsRead() throws {
    let text = #"""
      {"account":"a","provider":{"protocol":"openid2","openidEndpoint":"https://steamcommunity.com/openid/login",
      "openidAssociation":"none"},"providerReference":{"preset":"steam","name":"Mine","openidSession":"DH-SHA1"},
      "clientId":"","issuedAt":1,"subject":"https://steamcommunity.com/openid/id/7"}
      """#
    var fields = Fields(try #require(try JSON.parse(Array(text.utf8)).members))
    let grant = try Grant(&fields)
    #expect(try grant.resolvedProvider.openid.openidEndpoint == "https://steamcommunity.com/openid/login")
    #expect(grant.provider["openidAssociation"] == nil)
    // It follows its preset as before.
    let today = grant.described(by: Presets.builtIn).provider
    #expect(today["openidClaimedIds"] == "https://steamcommunity.com/openid/id/" && today["name"] == "Mine")
  }
}
