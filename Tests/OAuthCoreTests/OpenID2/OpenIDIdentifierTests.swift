import Testing

@testable import OAuthCore

@Suite struct OpenIDIdentifierTests {
  @Test(arguments: [
    ("https://example.com", "https://example.com/"), ("HTTPS://Example.COM:443/a", "https://example.com/a"),
    (" https://example.com/a#fragment\n", "https://example.com/a"), ("https://example.com/a/./b/../c", "https://example.com/a/c"),
    ("https://example.com/%7Euser/%2f?q=%7e", "https://example.com/~user/%2F?q=~"),
    ("https://example.com:8443", "https://example.com:8443/"),
    ("https://example.com?x=1", "https://example.com/?x=1"), ("https://example.com/ü", "https://example.com/%C3%BC"),
    ("example.com", "https://example.com/"), ("example.com/user", "https://example.com/user"),
    ("example.com:8443/u", "https://example.com:8443/u"),
    ("localhost:8080/u", "http://localhost:8080/u"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
    ("http://[::1]/", "http://[::1]/"),
  ])
  func normalized(text: String, expected: String) throws { #expect(try OpenIDIdentifier(text).description == expected) }

  @Test(arguments: [
    "=example", "@example*user", "+phone", "$dns", "!1234", "(=x)", "xri://=example", "XRI://=example", "http://example.com/",
    "http://127.1/",
    "ftp://example.com/", "https://user@example.com/", "https://user:pw@example.com/", "", " ", "https://", "https://a b/", "mailto://x",
    "http://localhost.example.com/", "https://ex%61mple.com/",
  ])
  func rejected(text: String) {
    do throws(OAuthFailure) {
      let identifier = try OpenIDIdentifier(text)
      Issue.record("\(identifier) was accepted")
    } catch {
      #expect(error.kind == .configurationInvalid && error["path"] == "/provider/openidIdentifier")
    }
  }

  @Test func xrisAreSaidToBeSo() {
    #expect { try OpenIDIdentifier("=example") } throws: { ($0 as? OAuthFailure)?.message.contains("XRI") == true }
    #expect { try OpenIDIdentifier("http://example.com/") } throws: { ($0 as? OAuthFailure)?.message.contains("https") == true }
  }
}
