import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Failures without a response, and requests that are rejected before they are sent.
@Suite struct CurlClientFailureTests {
  let client = CurlClient(version: "1.2.3", environment: { _ in nil })

  private func failure(_ request: HTTPRequest) async -> HTTPFailure? {
    do throws(HTTPFailure) {
      _ = try await client.send(request)
      return nil
    } catch {
      return error
    }
  }

  @Test func aRejectedConnectionIsReported() async throws {
    let server = try RawServer(response: "")
    server.stop()
    let request = HTTPRequest(method: "GET", url: "\(server.url)/?secret=1")
    // The server's thread closes the listener a moment later.
    #expect(await soon { await failure(request) == .network(host: "127.0.0.1", cause: "connect", answered: false) })
  }

  @Test func anUnknownHostIsReported() async {
    let failure = await failure(HTTPRequest(method: "GET", url: "http://no-such-host.invalid:81/?secret=1"))
    #expect(failure == .network(host: "no-such-host.invalid", cause: "resolve", answered: false))
  }

  @Test(arguments: [
    ("", "broken", false), ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "broken", true),
    ("HTTP/1.1 200 OK\r\nX: y\r\n", "broken", true), ("HTTP/1.1 20", "broken", false),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "broken", true),
    ("hello there, this is not HTTP\r\n", "protocol", true),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd", "protocol", true),
  ])
  func brokenResponsesAreReported(answer: String, cause: String, answered: Bool) async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write(answer)
    }
    defer { server.stop() }
    guard case .network("127.0.0.1", cause, answered, _, _, _) = await failure(HTTPRequest(method: "GET", url: server.url)) else {
      Issue.record("another failure")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test func aResetConnectionIsReported() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.reset()
    }
    defer { server.stop() }
    #expect(await failure(HTTPRequest(method: "GET", url: server.url)) == .network(host: "127.0.0.1", cause: "broken", answered: false))
  }

  @Test func tlsToAPlainServerIsReported() async throws {
    let server = try RawServer { connection in
      connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.waitForEnd(seconds: 2)
    }
    defer { server.stop() }
    let failure = await failure(HTTPRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/"))
    guard case .network("127.0.0.1", "tls", false, nil, _, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func endlessHeadersAreStopped() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\n")
      for _ in 1...400 { connection.write("X: " + String(repeating: "y", count: 1000) + "\r\n") }
      connection.write("Content-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    #expect(
      await failure(HTTPRequest(method: "GET", url: server.url)) == .network(host: "127.0.0.1", cause: "protocol", answered: true))
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
  func theSecondsRunOut(answer: String) async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write(answer)
      connection.waitForEnd()
    }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.timeout = 1
    let began = Clock.system.uptime()
    #expect(await failure(request) == .timedOut(host: "127.0.0.1"))
    #expect(Clock.system.uptime() - began >= 900)
  }

  @Test func cancellingTheTaskEndsTheExchangeAtOnce() async throws {
    let folder = try TemporaryFolder()
    let ended = Mutex(false)
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
      let end = connection.waitForEnd()
      ended.withLock { $0 = end }
    }
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: "\(folder.path)/saved")
    let arrived = Mutex(false)
    request.progress = { _, received, _ in if received > 0 { arrived.withLock { $0 = true } } }
    let task = Task { [client, request] in try await client.send(request) }
    #expect(await soon { arrived.withLock { $0 } })
    task.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await task.value }
    #expect(folder.names == [])
    // The client also closes the connection, without waiting for the server.
    #expect(await soon { ended.withLock { $0 } })
  }

  @Test func whatIsCancelledBeforehandIsNotSent() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let task = Task { [client, url = server.url] in
      while !Task.isCancelled { await Task.yield() }
      return try await client.send(HTTPRequest(method: "GET", url: url))
    }
    task.cancel()
    await #expect(throws: HTTPFailure.cancelled) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    HTTPHeader("X", "a\r\nY: b"), HTTPHeader("X", "a\nb"), HTTPHeader("X", "a\0b"), HTTPHeader("X\r\nY", "b"), HTTPHeader("X:", "b"),
    HTTPHeader("", "b"), HTTPHeader("X Y", "b"),
  ])
  func aHeaderThatWouldBecomeTwoIsRejected(header: HTTPHeader) async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let request = HTTPRequest(method: "GET", url: server.url, headers: [header])
    #expect(await failure(request) == .network(host: "127.0.0.1", cause: "protocol", answered: false))
    #expect(server.connections == 0)
  }

  @Test(arguments: [
    ("GET", "http://127.0.0.1:PORT/a b"), ("GET", "http://127.0.0.1:PORT/\r\nX: y"), ("GET", "http://127.0.0.1:PORT/\0"),
    ("GET", "http://user:password@127.0.0.1:PORT/"), ("GET", "http://127.0.0.1:PORT\\@example.com/"), ("GET", "file:///etc/passwd"),
    ("GET", "ftp://127.0.0.1:PORT/"), ("GET", "127.0.0.1:PORT/"), ("GET", "http://"), ("GET", "http://127.0.0.1:PORTx/"), ("GET", ""),
    ("G T", "http://127.0.0.1:PORT/"), ("", "http://127.0.0.1:PORT/"), ("GET\r\nX: y", "http://127.0.0.1:PORT/"),
  ])
  func aRequestThatLibcurlWouldReadDifferentlyIsRejected(method: String, url: String) async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let parts = url.split(separator: "PORT", omittingEmptySubsequences: false)
    let failure = await failure(HTTPRequest(method: method, url: parts.joined(separator: "\(server.port)")))
    guard case .network(_, "protocol", false, _, _, _) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(server.connections == 0)
  }
}
