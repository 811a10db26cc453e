import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Sent and received bytes, compared exactly.
@Suite struct CurlClientTests {
  let client = CurlClient(version: "1.2.3", environment: { _ in nil })

  @Test func aRequestGoesOutAsGiven() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Twice: a\r\nx-twice:  b \r\n\r\nok")
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: "\(server.url)/a/../b%2F?q=a+b&&r=~")
    request.headers = [
      HTTPHeader("X-One", "1"), HTTPHeader("x-one", "zwei ü"), HTTPHeader("X-Empty", ""), HTTPHeader("Accept-Encoding", "identity"),
    ]
    let response = try await client.send(request)
    #expect(
      server.requests == [
        "GET /a/../b%2F?q=a+b&&r=~ HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nUser-Agent: oauth-stdio/1.2.3\r\n"
          + "X-One: 1\r\nx-one: zwei ü\r\nX-Empty:\r\nAccept-Encoding: identity\r\n\r\n"
      ])
    #expect(response.status == 200)
    #expect(response.headers == [HTTPHeader("Content-Length", "2"), HTTPHeader("X-Twice", "a"), HTTPHeader("x-twice", "b")])
    #expect(response.body == Array("ok".utf8))
    #expect(response.bytes == 2)
  }

  @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "post"])
  func everyMethodGoesOutUnderItsOwnName(method: String) async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    #expect(try await client.send(HTTPRequest(method: method, url: server.url)).status == 200)
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(sent.contains("\r\nContent-Length: 0\r\n") == ["POST", "PUT", "PATCH"].contains(method))
  }

  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"])
  func aBodyGoesOutWithEveryMethod(method: String) async throws {
    let server = try RawServer(response: "HTTP/1.1 204 No Content\r\n\r\n")
    defer { server.stop() }
    var request = HTTPRequest(method: method, url: server.url, body: .bytes(Array("a=b&c".utf8)))
    // A wrong length. The client sends the body's real length.
    request.headers = [HTTPHeader("Content-Length", "3")]
    #expect(try await client.send(request).status == 204)
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(sent.hasSuffix("\r\n\r\na=b&c"))
    #expect(sent.contains("\r\nContent-Length: 5\r\n"))
    #expect(!sent.contains("Content-Length: 3"))
    #expect(!sent.contains("Content-Type"))
    #expect(!sent.contains("Accept:"))
    #expect(!sent.contains("Transfer-Encoding"))
  }

  /// Without this, libcurl would send `Expect` for bodies from 1 MB and wait one second.
  @Test func aLargeBodyFromAFileGoesOutAtOnce() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let path = folder.write("body", [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20))
    #expect(try await client.send(HTTPRequest(method: "POST", url: server.url, body: .file(path: path))).status == 200)
    let sent = try #require(server.requests.first)
    #expect(!sent.contains("Expect"))
    #expect(sent.contains("\r\nContent-Length: \(3 << 20)\r\n"))
    #expect(sent.utf8.suffix(3 << 20).allSatisfy { $0 == UInt8(ascii: "x") })
  }

  @Test func theCallersOwnUserAgentAndContentTypeWin() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let headers = [HTTPHeader("user-agent", "mine"), HTTPHeader("content-type", "text/x"), HTTPHeader("accept", "a/b")]
    _ = try await client.send(HTTPRequest(method: "POST", url: server.url, headers: headers, body: .bytes([65])))
    let sent = try #require(server.requests.first)
    #expect(sent.contains("\r\nuser-agent: mine\r\ncontent-type: text/x\r\naccept: a/b\r\n"))
    #expect(!sent.contains("oauth-stdio"))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectIsAResponse(status: Int) async throws {
    let server = try RawServer(response: "HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let response = try await client.send(HTTPRequest(method: "GET", url: server.url))
    #expect(response.status == status)
    #expect(response.header("location") == "/elsewhere")
    #expect(server.requests.count == 1)
  }

  @Test func informationalResponsesAndTrailersAreSkipped() async throws {
    let server = try RawServer(
      response: "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nLocation: /t\r\n\r\n")
    defer { server.stop() }
    let response = try await client.send(HTTPRequest(method: "GET", url: server.url))
    #expect(response.status == 400)
    #expect(response.headers == [HTTPHeader("Transfer-Encoding", "chunked")])
    #expect(response.body == Array("abc".utf8))
  }

  @Test func aCompressedBodyIsDecoded() async throws {
    let packed = [UInt8](hexDigits: "1f8b0800000000000203cb48cdc9c9d75148cecf2d284a2d2e4e4d5128cf2fca490100089e343517000000")
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      connection.write(packed)
    }
    defer { server.stop() }
    let response = try await client.send(HTTPRequest(method: "GET", url: server.url))
    #expect(String(decoding: response.body, as: UTF8.self) == "hello, compressed world")
    #expect(response.bytes == 23)
    #expect(server.requests.first?.contains("\r\nAccept-Encoding: gzip\r\n") == true)
  }

  /// The length is right, so only the compressed data show that the body is not whole.
  @Test(arguments: [1, 8, 9, 20, 40])
  func aCompressedBodyThatEndsEarlyIsAFailure(missing: Int) async throws {
    let whole = [UInt8](hexDigits: "1f8b0800000000000203cb48cdc9c9d75148cecf2d284a2d2e4e4d5128cf2fca490100089e343517000000")
    let packed = whole.dropLast(missing)
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      connection.write(Array(packed))
    }
    defer { server.stop() }
    await #expect(throws: HTTPFailure.network(host: "127.0.0.1", cause: "broken", answered: true)) {
      try await client.send(HTTPRequest(method: "GET", url: server.url))
    }
  }

  @Test func aRangeIsNotAskedForCompressed() async throws {
    let server = try RawServer(response: "HTTP/1.1 206 Part\r\nContent-Length: 1\r\n\r\na")
    defer { server.stop() }
    let request = HTTPRequest(method: "GET", url: server.url, headers: [HTTPHeader("Range", "bytes=0-0")])
    #expect(try await client.send(request).status == 206)
    #expect(server.requests.first?.contains("Accept-Encoding") == false)
  }

  @Test func aConnectionIsKeptForTheNextRequest() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    for _ in 1...5 { _ = try await client.send(HTTPRequest(method: "GET", url: server.url)) }
    #expect(server.requests.count == 5)
    #expect(server.connections == 1)
  }

  @Test func manyRequestsRunAtTheSameTime() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    defer { server.stop() }
    let url = server.url
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...50 { group.addTask { [client] in try await client.send(HTTPRequest(method: "POST", url: url)).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [Int](repeating: 200, count: 50))
    #expect(server.requests.count == 50)
  }

  /// A kept connection may turn out to be closed. libcurl then resends the request, which is only allowed for idempotent methods (RFC 9110, 9.2.2).
  @Test(arguments: ["POST", "PATCH", "PROPFIND", "GET"])
  func aRequestOnADeadConnectionGoesOutOnceAtMost(method: String) async throws {
    let server = try RawServer { connection in
      guard connection.request() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      // The second request on the same connection is read and never answered.
      _ = connection.request()
    }
    defer { server.stop() }
    #expect(try await client.send(HTTPRequest(method: "GET", url: server.url)).status == 200)
    #expect(try await client.send(HTTPRequest(method: method, url: "\(server.url)/2", body: .bytes([65]))).status == 200)
    // Only GET used the kept connection, and was sent a second time.
    #expect(server.requests.count { $0.contains(" /2 ") } == (method == "GET" ? 2 : 1))
    #expect(server.connections == 2)
  }
}
