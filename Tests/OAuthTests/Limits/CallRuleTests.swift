import Jansson
import Testing

@testable import OAuthCore
@testable import Plans

/// A rule allows exactly the calls that a person would read in it, whether a server decodes the path or not.
struct CallRuleTests {
  @Test(arguments: [
    ("GET https://a.example/**", "GET", "https://a.example/"), ("GET https://a.example/**", "GET", "https://a.example"),
    ("GET https://a.example/**", "GET", "https://A.example:443/x/y?z=1"), ("GET https://a.example/x/*", "GET", "https://a.example/x/y"),
    ("GET https://a.example/x/*", "GET", "https://a.example/x/"), ("GET https://a.example/*/y", "GET", "https://a.example/x/y"),
    ("GET https://a.example/x*z", "GET", "https://a.example/xyz"), ("GET,PUT https://a.example/x", "PUT", "https://a.example/x"),
    ("* https://a.example/x", "PATCH", "https://a.example/x"), ("GET https://a.example/**/c", "GET", "https://a.example/a/b/c"),
    ("GET https://a.example/p/**", "GET", "https://a.example/p/group%2Fname"),
    ("GET https://a.example/p/group%2Fname/*", "GET", "https://a.example/p/group%2Fname/issues"),
    ("GET https://a.example/p/**", "GET", "https://a.example/p/...x/.y"),
    ("GET http://127.0.0.1:8080/**", "GET", "http://127.0.0.1:8080/x"),
    ("GET https://a.example/a**b*c", "GET", "https://a.example/a/x/bbc"),
  ])
  func theseAreAllowed(rule: String, method: String, url: String) throws {
    #expect(try CallRule(rule).matches(method, URLParts(url)))
  }

  @Test(arguments: [
    ("GET https://a.example/**", "POST", "https://a.example/"), ("GET https://a.example/**", "get", "https://a.example/"),
    ("GET https://a.example/**", "GET", "http://a.example/"), ("GET https://a.example/**", "GET", "https://a.example:444/"),
    ("GET https://a.example/**", "GET", "https://b.a.example/"), ("GET https://a.example/**", "GET", "https://a.example.evil/"),
    ("GET https://a.example/**", "GET", "https://a.example./"), ("GET https://a.example/x/*", "GET", "https://a.example/x/y/z"),
    ("GET https://a.example/x/*", "GET", "https://a.example/x"), ("GET https://a.example/x/*", "GET", "https://a.example/x/y%2Fz"),
    ("GET https://a.example/x/*", "GET", "https://a.example/x/y%5Cz"), ("GET https://a.example/x/*", "GET", "https://a.example/x/%252F"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/%2e%2e/y"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/..%2Fy"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/%252e%252e/y"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/..;v=1/y"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/..%5Cy"),
    // Decoded once, an incomplete escape becomes one that is refused.
    ("GET https://a.example/x/**", "GET", "https://a.example/x/%%32e%%32e/y"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/%2%65%2%65/y"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/y%%35c"),
    ("GET https://a.example/x/**", "GET", "https://a.example/x/..%3By"),
    ("GET https://a.example/x", "GET", "https://a.example/%78"), ("GET https://a.example/x/**", "GET", "https://a.example/x%2Fy"),
    ("GET https://a.example/x", "GET", "https://a.example/X"), ("GET https://a.example/x", "GET", "https://a.example/x/"),
    ("GET https://a.example/x", "GET", "https://user@a.example/x"), ("GET https://a.example", "GET", "https://a.example/x"),
  ])
  func theseAreNot(rule: String, method: String, url: String) throws {
    #expect(try !CallRule(rule).matches(method, URLParts(url)))
  }

  @Test(arguments: [
    "", "GET", "https://a.example/", "GET  ", "get https://a.example/", ", https://a.example/", "G@T https://a.example/",
    "GET ftp://a.example/",
    "GET a.example/x", "GET https://*.example/", "GET https://a.example/?x", "GET https://a.example/#x", "GET https://u@a.example/",
    "GET https://a.example/x/%2e%2e/y", "GET https://a.example/x/../y", "GET https://a.example/x;v=1", "GET https://a.example/ x",
  ])
  func theseAreNoRules(text: String) {
    #expect(throws: FieldError.self) { try CallRule(text) }
  }

  /// With backtracking, this would take longer than the universe has existed.
  @Test func aLongPathAndManyStarsAreQuick() throws {
    let rule = try CallRule("GET https://a.example/" + String(repeating: "**a", count: 40) + "b")
    #expect(try !rule.matches("GET", URLParts("https://a.example/" + String(repeating: "a", count: 4000))))
  }
}
