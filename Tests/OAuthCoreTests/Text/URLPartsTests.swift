import Testing

@testable import OAuthCore

@Suite struct URLPartsTests {
  @Test func parts() throws {
    let url = try URLParts("HTTPS://User:pw@Example.COM:8443/A/b;c?x=1&y=/?#frag?")
    #expect(url.scheme == "https")
    #expect(url.userInfo == "User:pw")
    #expect(url.host == "example.com")
    #expect(url.explicitPort == 8443)
    #expect(url.path == "/A/b;c")
    #expect(url.query == "x=1&y=/?")
    #expect(url.fragment == "frag?")
    #expect(url.origin == "https://example.com:8443")
    #expect(url.description == "https://User:pw@example.com:8443/A/b;c?x=1&y=/?#frag?")
  }

  @Test(arguments: [
    "http://a", "http://a/", "http://a?", "http://a?#", "https://a:443/", "http://[::1]:8080/cb", "http://127.0.0.1:0/cb",
    "com.example.app:/oauth", "com.example.app://cb", "app:///cb", "urn:ietf:wg:oauth:2.0:oob", "https://a/%zz?filter[x]=%",
    "https://a//b/../c", "https://a.example./", "https://a/?q=a+b%20c",
  ])
  func descriptionGivesTheURLBack(text: String) throws {
    #expect(try URLParts(text).description == text)
  }

  @Test func ports() throws {
    #expect(try URLParts("http://a").port == 80)
    #expect(try URLParts("https://a").port == 443)
    #expect(try URLParts("https://a:443").origin == "https://a")
    #expect(try URLParts("https://a:80").origin == "https://a:80")
    #expect(try URLParts("https://a:").description == "https://a")
    #expect(try URLParts("https://a:00065535").port == 65535)
    #expect(try URLParts("app://a").port == nil)
  }

  @Test func nonASCIIIsEscapedBehindTheHost() throws {
    let url = try URLParts("https://a/é|\"{x}?q=€#ü")
    #expect(url.description == "https://a/%C3%A9%7C%22%7Bx%7D?q=%E2%82%AC#%C3%BC")
  }

  @Test(
    arguments: [
      ("", .scheme), ("/path", .scheme), ("//host/", .scheme), ("1http://a", .scheme), ("ht tp://a", .forbiddenCharacter), (":a", .scheme),
      ("h\u{E9}://a", .scheme), ("http:", .noAuthority), ("http:a", .noAuthority), ("https:/a/b", .noAuthority), ("http://", .host),
      ("http:///path", .host), ("http://?q", .host), ("http://:80", .host), ("http://u@/", .host), ("http://a\\b", .forbiddenCharacter),
      ("http://a/b c", .forbiddenCharacter), ("http://a/\n", .forbiddenCharacter), ("http://a/\u{7F}", .forbiddenCharacter),
      ("http://a/\0", .forbiddenCharacter), (" http://a", .forbiddenCharacter), ("http://b\u{FC}cher.example", .host),
      ("http://a%2eb/", .host), ("http://a..b/", .host), ("http://.a/", .host), ("http://a,b/", .host), ("http://a<b/", .host),
      ("http://[::1", .host), ("http://[::1]a", .host), ("http://[127.0.0.1]/", .host), ("http://[fe80::1%25eth0]/", .host),
      ("http://[v1.x]/", .host), ("http://[]/", .host), ("http://::1/", .port), ("http://a:65536", .port), ("http://a:+80", .port),
      ("http://a:8o", .port), ("http://a:-1", .port), ("http://a:80:80", .port), ("http://a@b@c/", .userInfo), ("http://a[@c/", .userInfo),
    ] as [(String, URLFailure)])
  func rejects(text: String, failure: URLFailure) {
    #expect(throws: failure) { try URLParts(text) }
  }

  @Test func hostIsWhatComesAfterTheUserInfo() throws {
    let url = try URLParts("http://127.0.0.1:80@evil.example/")
    #expect(url.host == "evil.example")
    #expect(url.userInfo == "127.0.0.1:80")
    #expect(!url.isLoopback)
    #expect(try URLParts("http://evil.example#@127.0.0.1/").host == "evil.example")
    #expect(try URLParts("http://evil.example?@127.0.0.1/").host == "evil.example")
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://127.0.0.1:9/x", "http://127.255.0.254", "http://localhost", "http://LOCALHOST:1", "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/", "http://[::0.0.0.1]:5/",
  ])
  func loopback(text: String) throws {
    #expect(try URLParts(text).isLoopback)
  }

  @Test(arguments: [
    "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://127.1/", "http://0177.0.0.1/", "http://127.0.0.01/",
    "http://127.0.0.256/", "http://127.0.0.1./", "http://127.0.0.1.example/", "http://localhost.example/", "http://localhost./",
    "http://128.0.0.1/", "http://0.0.0.0/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[::2]/", "http://localhost@a/",
    "app:/localhost", "http://127.0.0/", "http://127.0.0.0x1/",
  ])
  func notLoopback(text: String) throws {
    #expect(try !URLParts(text).isLoopback)
  }

  @Test func appendingAQueryBehindTheFragment() throws {
    let url = try URLParts("https://a.example/x/?k=1#/page")
    #expect(url.appendingFragmentQuery([("a b", "c&d"), ("e", "")]).description == "https://a.example/x/?k=1#/page?a%20b=c%26d&e=")
    #expect(url.appendingFragmentQuery([]) == url)
    let plain = try URLParts("https://a.example/")
    #expect(plain.appendingFragmentQuery([("a", "b")]) == plain)
  }

  @Test func appendingQuery() throws {
    let pairs = [("a b", "c&d"), ("é", "")]
    let added = "a%20b=c%26d&%C3%A9="
    #expect(try URLParts("https://a/p#f").appendingQuery(pairs).description == "https://a/p?\(added)#f")
    #expect(try URLParts("https://a?").appendingQuery(pairs).description == "https://a?\(added)")
    #expect(try URLParts("https://a?x=1").appendingQuery(pairs).description == "https://a?x=1&\(added)")
    #expect(try URLParts("https://a?x=1&").appendingQuery(pairs).description == "https://a?x=1&\(added)")
    #expect(try URLParts("https://a?x=1").appendingQuery([]).description == "https://a?x=1")
  }

  /// RFC 3986 §5.4.1 and §5.4.2.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
  ])
  func resolvesAsTheRFCDoes(reference: String, wanted: String) throws {
    #expect(try URLParts("http://a/b/c/d;p?q").resolve(reference).description == wanted)
  }

  @Test func resolvesRedirects() throws {
    let base = try URLParts("https://u@api.example:8443/v1/things?x#f")
    #expect(try base.resolve("").description == "https://u@api.example:8443/v1/things?x")
    #expect(try base.resolve("/a?b").description == "https://u@api.example:8443/a?b")
    #expect(try base.resolve("//Other.example").description == "https://other.example")
    #expect(try base.resolve("HTTP://other.example/%61/../b").description == "http://other.example/b")
    #expect(try base.resolve("è").description == "https://u@api.example:8443/v1/%C3%A8")
    #expect(try URLParts("https://a").resolve("b").description == "https://a/b")
    #expect(try URLParts("https://a").resolve("?b").description == "https://a?b")
    #expect(throws: URLFailure.noAuthority) { try base.resolve("https:g") }
    #expect(throws: URLFailure.host) { try base.resolve("///g") }
    #expect(throws: URLFailure.forbiddenCharacter) { try base.resolve("\\\\evil.example") }
    #expect(throws: URLFailure.scheme) { try base.resolve("1a:b") }
    #expect(throws: URLFailure.ambiguousPath) { try URLParts("app:/a").resolve(".//b") }
    #expect(throws: URLFailure.ambiguousPath) { try base.resolve("app:/.//b") }
  }
}
