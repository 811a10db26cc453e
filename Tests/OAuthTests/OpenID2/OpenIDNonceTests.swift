import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

@Suite struct OpenIDNonceTests {
  @Test func noncesComeOnce() {
    let memory = Servers(http: PreparedResponses(), clock: .fixed(0))
    #expect(memory.isFirst("n", of: "x", at: 0) && !memory.isFirst("n", of: "x", at: 0))
    #expect(memory.isFirst("n", of: "y", at: 0) && memory.isFirst("m", of: "x", at: 0))
    // A nonce is remembered as long as any clock would accept it.
    #expect(!memory.isFirst("n", of: "x", at: 2 * OpenIDNonce.window) && memory.isFirst("n", of: "x", at: 5 * OpenIDNonce.window))
  }

  @Test func nonces() {
    #expect(OpenIDNonce("2005-05-15T17:11:51ZUNIQUE")?.instant == 1_116_177_111 && OpenIDNonce("1970-01-01T00:00:00Z")?.instant == 0)
    #expect(OpenIDNonce("2024-02-29T23:59:60Zx")?.instant == 1_709_251_200)
    for text in [
      "", "x", "2005-05-15T17:11:51", "2005-05-15 17:11:51Z", "2005-13-15T17:11:51Z", "2005-02-29T17:11:51Z", "2005-05-15T24:11:51Z",
      "2005-05-15T17:60:51Z", "2005-05-15T17:11:61Z", "2005-05-15t17:11:51z", "2005-05-15T17:11:51.5Z", "2005-05-15T17:11:51Za b",
      "+005-05-15T17:11:51Z", "2005-00-15T17:11:51Z", "2005-05-00T17:11:51Z", "2005-05-15T17:11:51Z" + String(repeating: "x", count: 236),
    ] {
      #expect(OpenIDNonce(text) == nil, "\(text)")
    }
    let nonce = OpenIDNonce("1970-01-01T02:00:00Z")
    #expect(nonce?.isFresh(at: 3600) == true && nonce?.isFresh(at: 10_800) == true)
    #expect(nonce?.isFresh(at: 3599) == false && nonce?.isFresh(at: 10_801) == false)
  }
}
