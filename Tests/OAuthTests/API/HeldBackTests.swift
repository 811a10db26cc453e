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

/// A 200 response that contains an error is neither saved nor streamed.
struct HeldBackTests {
  private static let apiErrors: JSON = ["success": "ok", "code": "error"]
  private let server = PreparedResponses()
  private let stage: Stage
  private let folder: TemporaryFolder

  init() async throws {
    stage = Stage(server)
    folder = try TemporaryFolder()
    try await stage.keep { grant in
      grant.provider = .object(Stage.provider + [.init("apiErrors", Self.apiErrors), .init("expired", ["codes": ["token_expired"]])])
    }
  }

  private func answer(_ body: String, isWithheld: Bool = true) {
    server.add { request in
      var response = HTTPResponse(status: 200, body: Array(body.utf8))
      response.isWithheld = isWithheld && request.peekLimit > 0
      return .success(response)
    }
  }

  private func call(pieces: Pieces? = nil, rejections: Int = 0) async throws -> APIResponse {
    var request = APIRequest(account: "a", url: "x")
    if pieces == nil { request.saveTo = "\(folder.path)/saved" } else { request.streams = true }
    let left = Mutex(rejections)
    let call = APICall(accounts: stage.accounts, request: request) { progress in
      guard case .piece(let offset, let bytes) = progress else { return true }
      let isRejected = left.withLock { count in
        count -= 1
        return count >= 0
      }
      if !isRejected { pieces?.add(offset, bytes) }
      return !isRejected
    }
    return rejections == 0 ? try await call.run() : try await stage.clock.skippingPauses { try await call.run() }
  }

  @Test func anErrorIsNoFile() async throws {
    answer(#"{"ok":false,"error":"no_file"}"#)
    let response = try await call()
    #expect(response.isFailure && folder.names.isEmpty)
    let failure: OAuthFailure = response.failure("a")
    #expect(failure.kind == .serviceError && failure["code"] == "no_file" && failure["httpStatus"] == 200)
    #expect(failure["body"] == .string(#"{"ok":false,"error":"no_file"}"#))
  }

  @Test func aGoodOneIsSavedByteForByte() async throws {
    answer(#"{"ok": true, "x": 19.990}"#)
    let response = try await call()
    guard case .saved = response.body, !response.isFailure else {
      Issue.record("it was not saved")
      return
    }
    #expect(folder.read("saved") == Array(#"{"ok": true, "x": 19.990}"#.utf8) && folder.names == ["saved"])
    #expect(response.bytes == 25)
  }

  @Test func aStreamGetsAGoodOneAndNoError() async throws {
    let pieces = Pieces()
    answer(#"{"ok":false}"#)
    #expect(try await call(pieces: pieces).isFailure)
    #expect(pieces.all.isEmpty)
    answer(#"{"ok":true}"#)
    guard case .streamed = try await call(pieces: pieces, rejections: 2).body else {
      Issue.record("it was not streamed")
      return
    }
    #expect(pieces.all.map(\.offset) == [0] && pieces.all.first?.bytes == Array(#"{"ok":true}"#.utf8))
  }

  @Test func anExpiredTokenIsRenewedOnceAndTheCallReplayedOnce() async throws {
    answer(#"{"ok":false,"error":"token_expired"}"#)
    server.add(body: #"{"access_token":"access-2","token_type":"Bearer"}"#)
    answer(#"{"ok":true}"#)
    let response = try await call()
    #expect(response.refreshed && response.attempts == 2 && !response.isFailure)
    #expect(folder.read("saved") == Array(#"{"ok":true}"#.utf8))
    answer(#"{"ok":false,"error":"token_expired"}"#)
    server.add(body: #"{"access_token":"access-3","token_type":"Bearer"}"#)
    answer(#"{"ok":false,"error":"token_expired"}"#)
    #expect(try await call().isFailure)
    #expect(server.left == 0)
  }

  @Test func aFolderThatIsNotThereIsSaidSo() async throws {
    answer(#"{"ok":true}"#)
    var request = APIRequest(account: "a", url: "x")
    request.saveTo = "\(folder.path)/none/saved"
    let call = APICall(accounts: stage.accounts, request: request) { _ in true }
    #expect(await failureOf { try await call.run() }?.kind == .storageFailure)
  }

  @Test func nothingIsHeldBackWithoutARule() async throws {
    try await stage.keep()
    answer(#"{"ok":false}"#)
    #expect(try await call().isFailure == false)
    #expect(server.requests.last?.peekLimit == 0)
  }

  // MARK: By libcurl

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

/// The pieces that the consumer of a stream received.
private final class Pieces: Sendable {
  private let taken = Mutex<[(offset: Int, bytes: [UInt8])]>([])

  var all: [(offset: Int, bytes: [UInt8])] { taken.withLock { $0 } }
  func add(_ offset: Int, _ bytes: [UInt8]) { taken.withLock { $0.append((offset, bytes)) } }
}
