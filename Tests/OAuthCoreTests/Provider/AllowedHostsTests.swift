import Testing

@testable import OAuthCore

struct AllowedHostsTests {
  private func allows(_ hosts: [String], _ url: String) throws -> Bool {
    var provider = Provider()
    provider.api.apiHosts = hosts
    return AllowedHosts(provider).allows(try URLParts(url))
  }

  @Test(arguments: [
    ("api.example", "https://api.example/x", true), ("API.example", "https://api.EXAMPLE/", true),
    ("api.example", "https://api.example:443/", true),
    ("api.example", "https://api.example:8443/", false), ("api.example:8443", "https://api.example:8443/", true),
    ("api.example:8443", "https://api.example/", false), ("api.example", "https://x.api.example/", false),
    ("api.example", "https://api.example.evil/", false), ("api.example", "https://evilapi.example/", false),
    ("api.example", "https://api.example./", false), ("*.example", "https://a.example/", true), ("*.example", "https://a.b.example/", true),
    ("*.example", "https://example/", false), ("*.example", "https://evilexample/", false), ("*.example", "https://a.example:444/", false),
    ("*.example:444", "https://a.example:444/", true), ("127.0.0.1", "http://127.0.0.1:9/", true),
    ("127.0.0.1:8", "http://127.0.0.1:9/", false), ("*", "https://a/", false), ("*.", "https://a/", false), ("", "https://a/", false),
    ("api.example", "http://api.example/", false),
  ])
  func hosts(pattern: String, url: String, isAllowed: Bool) throws {
    #expect(try allows([pattern], url) == isAllowed)
  }

  @Test func namesAreAsADescriptionHasThem() {
    #expect(
      AllowedHosts(patterns: ["api.example:443", "*.cdn.example", "127.0.0.1:8080", "API.example"]).names
        == ["api.example", "*.cdn.example", "127.0.0.1:8080"])
  }

  @Test func withoutAListTheEndpointsHostsAreIt() throws {
    var provider = Provider()
    provider.api.apiBase = "https://api.example:444/"
    provider.tokenEndpoint = "https://id.example/token"
    let hosts = AllowedHosts(provider)
    #expect(hosts.allows(try URLParts("https://api.example:444/x")))
    #expect(hosts.allows(try URLParts("https://id.example/userinfo")))
    #expect(!hosts.allows(try URLParts("https://api.example/x")))
    #expect(!hosts.allows(try URLParts("https://example/")))
    provider.api.apiHosts = []
    #expect(!AllowedHosts(provider).allows(try URLParts("https://api.example:444/x")))
  }
}
