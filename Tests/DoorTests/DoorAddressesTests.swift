import NIOHTTP1
import OAuthCore
import Testing

@testable import Door

/// The headers of an answer, and the addresses of the account's hosts in them.
@Suite struct DoorAddressesTests {
  private func addresses(_ uri: String, url: String) throws -> DoorAddresses {
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: HTTPHeaders([("Host", "localhost:1")]))
    let hosts = [AllowedHosts(patterns: ["api.example.com", "*.other.example"]), AllowedHosts(patterns: ["git.example.com"])]
    return DoorAddresses(
      try DoorRequest(head, at: .tcp(port: 1)), url: try URLParts(url), base: "https://api.example.com/v3/", hosts: hosts)
  }

  @Test(
    arguments: [
      ("https://api.example.com/v3/items?p=2#x", "http://localhost:1/a%20b/items?p=2#x"),
      ("https://api.example.com/v3", "http://localhost:1/a%20b"),
      ("https://api.example.com/v30", "http://localhost:1/a%20b/@api.example.com/v30"), ("next", "http://localhost:1/a%20b/next"),
      ("/v3/y", "http://localhost:1/a%20b/y"), ("../z", "http://localhost:1/a%20b/@api.example.com/z"),
      ("?p=3", "http://localhost:1/a%20b/list?p=3"),
      ("//x.other.example/q", "http://localhost:1/a%20b/@x.other.example/q"),
      ("https://git.example.com/r", "http://localhost:1/a%20b/@git.example.com/r"),
      ("/v3/two words", "http://localhost:1/a%20b/two%20words"),
      // Others stay.
      ("https://elsewhere.example/", "https://elsewhere.example/"), ("//elsewhere.example/q", "https://elsewhere.example/q"),
      ("http://api.example.com/v3/a", "http://api.example.com/v3/a"),
      ("https://u@api.example.com/v3/a", "https://u@api.example.com/v3/a"), ("mailto:a@b", "mailto:a@b"),
      // A program could read these as another account's address at the door.
      ("http://localhost:1/other/x", nil), ("http://127.1:1/other/x", nil), ("http:/other/x", nil),
      (#"\other\x"#, nil), ("/other\u{1}", nil),
      ("/%2e%2E/.%2e/other/x", nil), ("/v3/x%5c..%5c..%5cother", nil),
    ] as [(String, String?)])
  func anAddressOfTheAccountsHostsBecomesOneOfTheDoor(reference: String, expected: String?) throws {
    let addresses = try addresses("/a%20b/list", url: "https://api.example.com/v3/list")
    #expect(addresses.address(of: reference) == expected)
  }

  @Test func aProgramThatNamesTheHostGetsTheHost() throws {
    let addresses = try addresses("/me/@api.example.com/v3/list", url: "https://api.example.com/v3/list")
    #expect(addresses.address(of: "next") == "http://localhost:1/me/@api.example.com/v3/next")
  }

  @Test func headersThatDoNotPass() throws {
    let addresses = try addresses("/me/list", url: "https://api.example.com/v3/list")
    let headers = [
      HTTPHeader("Connection", "X-Hop"), HTTPHeader("X-Hop", "1"), HTTPHeader("Transfer-Encoding", "chunked"),
      HTTPHeader("Set-Cookie", "a=b"), HTTPHeader("Content-Length", "0"), HTTPHeader("X", "a\rSet-Cookie: b"), HTTPHeader("X :", "a"),
      HTTPHeader("OAuth-Stdio-Error", "forged"), HTTPHeader("WWW-Authenticate", "Bearer"), HTTPHeader("LOCATION", "/v3/x"),
      HTTPHeader("Link", #"<https://api.example.com/v3/l?p=2>; rel="next", <https://elsewhere.example/>; rel=a"#),
    ]
    #expect(
      DoorHeaders.forProgram(headers, status: 401, addresses) == [
        HTTPHeader("LOCATION", "http://localhost:1/me/x"),
        HTTPHeader("Link", #"<http://localhost:1/me/l?p=2>; rel="next", <https://elsewhere.example/>; rel=a"#),
      ])
    for link in ["/other/x; rel=next", "</other", #"<\other>; rel=next"#] {
      #expect(DoorHeaders.forProgram([HTTPHeader("Link", link)], status: 200, addresses).isEmpty)
    }
    #expect(DoorHeaders.forProgram(headers, status: 403, addresses).contains { $0.isNamed("www-authenticate") })
  }
}
