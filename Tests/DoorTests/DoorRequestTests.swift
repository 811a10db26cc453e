import NIOHTTP1
import OAuthCore
import Testing

@testable import Door

/// The head of a request: what is refused, and what the rest means.
@Suite struct DoorRequestTests {
  private static let host = ("Host", "127.0.0.1:8080")

  private func request(
    _ method: HTTPMethod = .GET, _ uri: String = "/me/user", _ more: [(String, String)] = [], host: [(String, String)] = [Self.host],
    version: HTTPVersion = .http1_1, at place: DoorRequest.Place = .tcp(port: 8080)
  ) throws(DoorFailure) -> DoorRequest {
    try DoorRequest(HTTPRequestHead(version: version, method: method, uri: uri, headers: HTTPHeaders(host + more)), at: place)
  }

  @Test(
    arguments: [
      ("/me/user?a=b&&c=%2F", "me", nil, "/user?a=b&&c=%2F"), ("/me", "me", nil, ""), ("/me/", "me", nil, "/"), ("/me?q", "me", nil, "?q"),
      ("/mcp.example.com%2Fa%20b/x//y", "mcp.example.com/a b", nil, "/x//y"), ("/me/@api.example.com/u", "me", "api.example.com", "/u"),
      ("/me/@localhost:81", "me", "localhost:81", ""), ("/me/@a.example/@b", "me", "a.example", "/@b"),
      ("/me/a%2Fb;c=1", "me", nil, "/a%2Fb;c=1"),
      ("/me/.well-known/...", "me", nil, "/.well-known/..."),
    ] as [(String, String, String?, String)])
  func aPathIsTakenAsText(uri: String, account: String, host: String?, path: String) throws {
    let request = try request(.GET, uri)
    #expect((request.account, request.host, request.path) == (account, host, path))
  }

  @Test(arguments: [
    "", "*", "me/user", "http://127.0.0.1:8080/me/user", "/", "//user", "/me/..", "/me/a/../b", "/me/./b", "/me/%2e%2E/b", "/me/a%2F..%2Fb",
    "/me/..%5Cb", #"/me/a\b"#, "/me/a#b", "/me/ä", "/me/a\u{7F}", "/me/\u{1}", "/me/a b", "/%ZZ/b", "/%FF/b", "/%00/b", "/me/@", "/me/@/b",
    "/../b",
  ])
  func aPathThatServersReadDifferentlyIsRefused(uri: String) { refused { try request(.GET, uri) } }

  @Test(arguments: [
    [("Content-Length", "3"), ("Content-Length", "3")], [("Content-Length", "3, 3")], [("Content-Length", "+3")], [("Content-Length", "")],
    [("Content-Length", "99999999999999999999")], [("Content-Length", "3"), ("Transfer-Encoding", "chunked")],
    [("Transfer-Encoding", "gzip, chunked")], [("Transfer-Encoding", "identity")],
    [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
    [("Host", "127.0.0.1:8080")], [("Origin", "http://127.0.0.1:8080")], [("Origin", "null")], [("Sec-Fetch-Site", "cross-site")],
    [("Sec-Fetch-Site", "same-origin")], [("Upgrade", "websocket")], [("Upgrade", "h2c, websocket")], [("X", "a\rb")], [("X", "a\nb")],
    [("X", "a\0")], [("X", "a\u{FFFD}")], [("X Y", "a")], [("X", String(repeating: "x", count: 65_536))],
  ])
  func aHeadThatIsNotPlainIsRefused(headers: [(String, String)]) { refused { try request(.POST, "/me/user", headers) } }

  @Test(arguments: [HTTPMethod.CONNECT, .TRACE])
  func aMethodThatIsNotForAServiceIsRefused(method: HTTPMethod) { refused { try request(method) } }

  @Test(arguments: [
    [], ["example.com:8080"], ["127.0.0.1"], ["127.0.0.1:8081"], ["127.0.0.2:8080"], ["localhost.:8080"], ["127.0.0.1:8080 "], [""],
  ])
  func anotherHostIsRefused(hosts: [String]) { refused { try request(host: hosts.map { ("Host", $0) }) } }

  @Test func chunksOfAnOldVersionAreRefused() {
    refused { try request(.POST, "/me/a", [("Transfer-Encoding", "chunked")], version: .http1_0) }
  }

  @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"])
  func theDoorsOwnHostsAreServed(host: String) throws { #expect(try request(host: [("host", host)]).authority == host.lowercased()) }

  @Test func aUnixSocketHasAnyHost() throws { #expect(try request(host: [("Host", "api")], at: .unix).authority == "api") }

  @Test func theEndOfTheBodyIsKnown() throws {
    #expect(try request().length == .none)
    #expect(try request(.POST, "/me/a", [("content-length", "0")]).length == .bytes(0))
    #expect(try request(.POST, "/me/a", [("Transfer-Encoding", "Chunked")]).length == .chunks)
    #expect(try request(.POST, "/me/a", [("Expect", "100-Continue")]).expectsContinue)
    #expect(try !request(.POST, "/me/a", [("Expect", "100-continue")], version: .http1_0).expectsContinue)
  }

  /// Java and `curl --http2` offer it with each request.
  @Test func anOfferOfHTTP2IsDropped() throws {
    let offer = [("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAM")]
    let request = try request(.GET, "/me/user", offer)
    #expect(request.headers.isEmpty)
    #expect(request.closes)
  }

  @Test func headersOfTheWayAndOfOtherSitesDoNotPass() throws {
    let headers = [
      ("Connection", "close, X-Mine"), ("x-mine", "1"), ("Keep-Alive", "5"), ("TE", "trailers"), ("Trailer", "X"),
      ("Proxy-Connection", "a"),
      ("Proxy-Authorization", "b"), ("Expect", "x"), ("Forwarded", "for=a"), ("X-Forwarded-For", "a"), ("X-Forwarded-Host", "b"),
      ("Cookie", "a=b"), ("Content-Length", "1"), ("Accept", "*/*"), ("X-Other", ""),
    ]
    #expect(try request(.POST, "/me/a", headers).headers == [HTTPHeader("Accept", "*/*"), HTTPHeader("X-Other", "")])
  }

  private func refused(_ check: () throws -> DoorRequest, _ location: SourceLocation = #_sourceLocation) {
    #expect(sourceLocation: location) {
      try check()
    } throws: { error in
      guard let failure = error as? DoorFailure else { return false }
      return failure.status == 400 && failure.kind == "badRequest" && !failure.message.contains("\n")
    }
  }
}
