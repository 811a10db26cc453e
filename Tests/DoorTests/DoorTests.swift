import Jansson
import Synchronization
import TestSupport
import Testing

@testable import Door
@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program, the door and a service, each on a socket of its own.
@Suite struct DoorTests {
  private static let secret = "s3cret-of-the-door-0123456789abcdef"
  private static let authorization = "Authorization: Bearer \(secret)\r\n"

  /// A door in front of the service.
  private struct Stage {
    let browser: LoopbackBrowser
    private let socket: LoopbackSocket

    init(_ service: RawServer, token: String = "access-1") async throws {
      let store = MemoryStore()
      let provider: JSON = [
        "name": "Example", "issuer": "https://id.example", "tokenEndpoint": "https://id.example/token",
        "apiBase": .string(service.url + "/v1/"),
      ]
      let grant = Grant(
        account: "me", provider: provider, client: Client(id: "client", secret: Secret("x")), accessToken: Secret(token),
        tokenType: "Bearer", issuedAt: Clock.system.now)
      try store.write(grant)
      let client = CurlClient(version: "1", environment: { _ in nil })
      let dependencies = Dependencies(clock: .system, random: SystemRandom.bytes, http: client, store: store, catalog: .builtIn)
      let accounts = Accounts(dependencies, configured: { _ in nil }, secret: { _, _, _ in Secret("") })
      socket = try LoopbackSocket(isIPv6: false, port: 0)
      #expect(Door(accounts: accounts, secret: Secret(DoorTests.secret)).listen(at: socket) == 0)
      browser = LoopbackBrowser(port: socket.port)
    }

    func end() { socket.end() }

    func send(_ line: String, _ fields: String = DoorTests.authorization, _ body: String = "") async throws -> LoopbackBrowser.Response {
      let head = "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(socket.port)\r\nConnection: close\r\n\(fields)\r\n"
      return try #require(await browser.send(raw: head + body))
    }
  }

  @Test func aRequestGoesToTheServiceWithTheToken() async throws {
    let service = try RawServer(response: "HTTP/1.1 201 Made\r\nContent-Length: 2\r\nX-A: b\r\nLocation: /v1/new\r\n\r\nok")
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = try await stage.send("POST /me/items?a=%2F", Self.authorization + "Content-Length: 3\r\nX-Mine: 1\r\n", "abc")
    #expect((answer.status, answer.body, answer.field("X-A")) == (201, "ok", "b"))
    #expect(answer.field("Location") == "http://127.0.0.1:\(stage.browser.port)/me/new")
    let sent = try #require(service.requests.first)
    #expect(sent.hasPrefix("POST /v1/items?a=%2F HTTP/1.1\r\nHost: 127.0.0.1:\(service.port)\r\n"))
    #expect(sent.contains("\r\nAuthorization: Bearer access-1\r\n") && sent.contains("\r\nX-Mine: 1\r\n"))
    #expect(sent.hasSuffix("\r\n\r\nabc") && !sent.contains(Self.secret))
  }

  @Test func withoutTheSecretNothingIsSent() async throws {
    let service = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = try await stage.send("GET /me/items", "Authorization: Bearer other\r\n")
    #expect(answer.status == 401)
    #expect(answer.field("WWW-Authenticate")?.hasPrefix("Basic realm=") == true)
    #expect(answer.field("OAuth-Stdio-Error") == "unauthorized")
    #expect(try await stage.send("GET /me/../items").status == 400)
    #expect(try await stage.send("GET /other/items").status == 404)
    #expect(service.connections == 0)
  }

  @Test(arguments: ["HEAD", "GET"])
  func anAnswerOfUnknownLengthHasChunks(method: String) async throws {
    let service = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + (method == "GET" ? "abc" : ""))
    }
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = try await stage.send("\(method) /me/items")
    #expect((answer.field("Transfer-Encoding") == "chunked") == (method == "GET"))
    #expect(answer.body == (method == "GET" ? "3\r\nabc\r\n0\r\n\r\n" : ""))
  }

  @Test func anAnswerThatBreaksOffHasNoEnd() async throws {
    let service = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    }
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = try await stage.send("GET /me/items")
    #expect(answer.status == 200)
    #expect(!answer.text.hasSuffix("0\r\n\r\n"))
  }

  /// Far more than the door holds. Both sides see each byte.
  @Test func largeBodiesPassInBothDirections() async throws {
    let body = String(repeating: "0123456789abcdef", count: 512 << 10)
    let service = try RawServer { connection in
      guard let request = connection.request() else { return }
      let received = request.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(received.utf8.count)\r\n\r\n\(received)")
    }
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = try await stage.send("PUT /me/items", Self.authorization + "Content-Length: \(body.utf8.count)\r\n", body)
    #expect(answer.status == 200)
    #expect(answer.body.utf8.count == body.utf8.count && answer.body == body)
  }

  @Test func aProgramThatClosesItsSideGetsItsAnswer() async throws {
    let service = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let answer = await LoopbackBrowser.onItsOwnThread { () -> LoopbackBrowser.Response? in
      guard let descriptor = stage.browser.connected() else { return nil }
      LoopbackBrowser.say("GET /me/a HTTP/1.1\r\nHost: localhost:\(stage.browser.port)\r\n\(Self.authorization)\r\n", on: descriptor)
      shutdown(descriptor, Int32(SHUT_WR))
      return LoopbackBrowser.hear(descriptor)
    }
    #expect(answer?.status == 200)
    #expect(answer?.body == "ok")
  }

  /// The service sees the end although it has not answered.
  @Test func aProgramThatGoesAwayEndsTheExchange() async throws {
    let ended = Mutex(false)
    let service = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
      let isEnd = connection.waitForEnd()
      ended.withLock { $0 = isEnd }
    }
    defer { service.stop() }
    let stage = try await Stage(service)
    defer { stage.end() }
    let descriptor = try #require(stage.browser.connected())
    LoopbackBrowser.say("GET /me/a HTTP/1.1\r\nHost: localhost:\(stage.browser.port)\r\n\(Self.authorization)\r\n", on: descriptor)
    #expect(await soon { service.requests.count == 1 })
    RawConnection.resetAtEnd(descriptor)
    close(descriptor)
    #expect(await soon { ended.withLock { $0 } })
  }
}
