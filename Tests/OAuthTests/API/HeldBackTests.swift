import Jansson
import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The start of a body that may contain an error, until libcurl has all of it or it is too large for one.
struct HeldBackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func page(_ body: String, type: String = "application/json") -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func send(_ answer: String, limit: Int = 20, sinkLimit: Int? = nil) async throws -> HTTPResponse {
    let server = try RawServer(response: answer)
    defer { server.stop() }
    var request = HTTPRequest(method: "GET", url: server.url)
    request.sink = .file(path: "\(folder.path)/saved")
    request.peekLimit = limit
    request.sinkLimit = sinkLimit
    return try await CurlClient(version: "1.2.3", environment: { _ in nil }).send(request)
  }

  @Test(arguments: [#"{"ok":true}"#, "\u{FEFF} {\"a\": 1}", "{"])
  func aSmallObjectIsHeldBack(body: String) async throws {
    let response = try await send(Self.page(body, type: "text/plain"))
    #expect(response.isWithheld && response.body == Array(body.utf8) && response.bytes == body.utf8.count)
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [
    ("[1]", "application/json"), ("hello", "application/json"), (#"{"a":"more than twenty bytes"}"#, "application/json"),
    ("{}\n{}\n", "application/x-ndjson"), ("{}", "text/event-stream"),
  ])
  func aBodyWithoutAnErrorIsSaved(body: String, type: String) async throws {
    let response = try await send(Self.page(body, type: type))
    #expect(!response.isWithheld && response.body.isEmpty && response.bytes == body.utf8.count)
    #expect(folder.read("saved") == Array(body.utf8))
  }

  @Test func aBodyThatGrowsTooLargeIsSavedWhole() async throws {
    let body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"a\":\"12\r\n10\r\n3456789012345678\r\n2\r\n\"}\r\n0\r\n\r\n"
    let response = try await send(body)
    #expect(!response.isWithheld && response.bytes == 26)
    #expect(folder.read("saved") == Array(#"{"a":"123456789012345678"}"#.utf8))
  }

  @Test func aLimitHoldsForWhatIsHeldBack() async throws {
    await #expect(throws: HTTPFailure.tooLarge(maxBytes: 5)) { try await send(Self.page(#"{"ok":true}"#), sinkLimit: 5) }
    #expect(folder.names.isEmpty)
  }

  @Test func aSlowTakerGetsWhatWasHeldBackFirst() async throws {
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"a\":\"12\r\n")
      usleep(50_000)
      connection.write("10\r\n3456789012345678\r\n2\r\n\"}\r\n0\r\n\r\n")
    }
    defer { server.stop() }
    let taken = Mutex<(rejections: Int, bytes: [UInt8])>((3, []))
    var request = HTTPRequest(method: "GET", url: server.url)
    request.peekLimit = 20
    request.sink = .stream { offset, piece in
      taken.withLock { state in
        state.rejections -= 1
        guard state.rejections < 0 || state.rejections == 1, offset == state.bytes.count else { return false }
        state.bytes += piece
        return true
      }
    }
    let response = try await CurlClient(version: "1.2.3", environment: { _ in nil }).send(request)
    #expect(response.bytes == 26 && !response.isWithheld)
    #expect(taken.withLock { $0.bytes } == Array(#"{"a":"123456789012345678"}"#.utf8))
  }
}
