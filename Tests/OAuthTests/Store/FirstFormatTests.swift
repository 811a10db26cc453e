import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Store

/// The first format of a grant, as version 0.3.0 writes it. Every later version must read it.
struct FirstFormatTests {
  private static let text = #"""
    {"account":"a","provider":{"preset":"steam","tokenEndpoint":"https://id.example/t","registrationParameters":{"contacts":["a@example.com"]}},
    "providerName":"Mine","providerReference":{"preset":"steam","name":"Mine"},"published":{"issuer":"https://id.example"},
    "publishedScope":"privateNetwork","namedHosts":["id.example"],"clientId":"c","clientSecret":"s","accessToken":"t","tokenType":"DPoP",
    "tokenSecret":"s","sessionHandle":"h","refreshToken":"r","dpopKey":"k","issuedAt":1,"issuedMilliseconds":5,"expiresAt":9,"expiresMilliseconds":7,"isDatedAhead":true,"importedAt":2,"refusedScopes":["z"],"idTokenExpiresAt":5,
    "grantedScopes":["a"],"declinedScopes":[],"redirectUri":"http://127.0.0.1:1/","pinnedRedirectUri":"http://127.0.0.1:1/","clientParameters":{"audience":"x"},
    "isRefreshRefused":true,"rejectedAt":3,"rejection":"why","subject":"u","email":"e","attributes":{"a":"b"},"login":"l","generation":3}
    """#

  @Test func itIsReadAndWrittenAsItIs() throws {
    let stored = try JSON.parse(Array(Self.text.utf8))
    let written = try JSON.parse(try Grant.decode(stored).text).sorted.line
    #expect(written == stored.sorted.line)
  }

  @Test func aFileNamesIt() async throws {
    let stage = try StoreStage()
    var bound = stage.grant("a")
    bound.dpopKey = Secret("key")
    try await stage.store().write(bound)
    #expect(stage.folder.read("a.grant")?.starts(with: Array("oauth-stdio grant 1 ".utf8)) == true)
    #expect(try stage.store().read("a") == bound)
  }
}
