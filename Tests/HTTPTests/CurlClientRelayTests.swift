import Synchronization
import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

/// Bodies that another thread supplies and takes: in pieces, with pauses, and for every status.
@Suite struct CurlClientRelayTests {
  let client = CurlClient(version: "1.2.3", environment: { _ in nil })

  /// What a relay got. It has room for `room` pieces.
  private final class Receiver: Sendable {
    let state = Mutex((begun: [Int](), body: [UInt8](), offered: 0, room: Int.max))

    var relay: HTTPRequest.Relay {
      HTTPRequest.Relay { [self] status, _ in
        state.withLock { $0.begun.append(status) }
      } take: { [self] piece in
        state.withLock { state in
          state.offered += 1
          guard state.room > 0 else { return false }
          state.room -= 1
          state.body += piece
          return true
        }
      }
    }

    var begun: [Int] { state.withLock { $0.begun } }
    var text: String { state.withLock { String(decoding: $0.body, as: UTF8.self) } }
    var offered: Int { state.withLock { $0.offered } }
  }

  /// Pieces of a body that come one after another.
  private final class Supplier: Sendable {
    private let state = Mutex((pieces: [String](), isWhole: false, reads: 0))
    let signal = ExchangeSignal()

    func supply(_ length: Int?, rewinds: Bool = false) -> HTTPRequest.Supply {
      HTTPRequest.Supply(length: length) { [self] room in
        state.withLock { state in
          state.reads += 1
          guard !state.pieces.isEmpty else { return state.isWhole ? .end : .later }
          let piece = Array(state.pieces.removeFirst().utf8)
          room.copyBytes(from: piece)
          return .bytes(piece.count)
        }
      } rewind: {
        rewinds
      }
    }

    var reads: Int { state.withLock { $0.reads } }

    func add(_ piece: String, isLast: Bool = false) {
      state.withLock { state in
        if !piece.isEmpty { state.pieces.append(piece) }
        state.isWhole = isLast
      }
      signal.wake()
    }
  }

  private func request(_ method: String, _ server: RawServer, _ receiver: Receiver, _ signal: ExchangeSignal = .init()) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: server.url)
    (request.sink, request.signal) = (.relay(receiver.relay), signal)
    return request
  }

  @Test func aSuppliedBodyGoesOutPieceByPiece() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    defer { server.stop() }
    let (supplier, receiver) = (Supplier(), Receiver())
    var request = request("POST", server, receiver, supplier.signal)
    request.body = .supplied(supplier.supply(6))
    async let response = client.send(request)
    for piece in ["ab", "cd", "ef"] {
      let reads = supplier.reads
      #expect(await soon { supplier.reads > reads || piece != "ab" })
      supplier.add(piece, isLast: piece == "ef")
    }
    #expect(try await response.status == 200)
    #expect(receiver.begun == [200])
    #expect(receiver.text == "ok")
    let sent = try #require(server.requests.first)
    #expect(sent.hasSuffix("\r\nContent-Length: 6\r\n\r\nabcdef"))
  }

  @Test func aSuppliedBodyOfUnknownLengthGoesOutInChunks() async throws {
    let received = Mutex("")
    let server = try RawServer { connection in
      _ = connection.request()
      let body = connection.text(to: "0\r\n\r\n")
      received.withLock { $0 = body }
      connection.write("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
      connection.waitForEnd()
    }
    defer { server.stop() }
    let (supplier, receiver) = (Supplier(), Receiver())
    var request = request("PUT", server, receiver, supplier.signal)
    request.body = .supplied(supplier.supply(nil))
    supplier.add("abc")
    async let response = client.send(request)
    #expect(await soon { server.requests.count == 1 })
    supplier.add("", isLast: true)
    #expect(try await response.status == 201)
    #expect(server.requests.first?.contains("\r\nTransfer-Encoding: chunked\r\n") == true)
    let sent = (server.requests.first ?? "") + received.withLock { $0 }
    #expect(sent.hasSuffix("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
  }

  /// The server sends the body only when the relay has begun.
  @Test func theHeadComesBeforeTheBody() async throws {
    let receiver = Receiver()
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
      for _ in 0..<12_000 where receiver.begun.isEmpty { connection.pause(milliseconds: 5) }
      if !receiver.begun.isEmpty { connection.write("data: 1\n\n") }
    }
    defer { server.stop() }
    let response = try await client.send(request("GET", server, receiver))
    #expect(!response.isWithheld)
    #expect(receiver.text == "data: 1\n\n")
  }

  @Test(arguments: [204, 302, 304])
  func aStatusWithoutABodyIsPassedOn(status: Int) async throws {
    let server = try RawServer(response: "HTTP/1.1 \(status) X\r\nLocation: /a\r\n\r\n")
    defer { server.stop() }
    let receiver = Receiver()
    let request = request("HEAD", server, receiver)
    #expect(try await client.send(request).status == status)
    #expect(receiver.begun == [status])
  }

  /// The caller may want to send the request again.
  @Test func anErrorIsWithheldUnlessItIsLarge() async throws {
    for (count, isWithheld) in [(64 << 10, true), (1 + 64 << 10, false)] {
      let body = [UInt8](repeating: UInt8(ascii: "e"), count: isWithheld ? count : (64 << 10) + 1)
      let server = try RawServer { connection in
        _ = connection.request()
        connection.write("HTTP/1.1 401 No\r\nTransfer-Encoding: chunked\r\n\r\n" + String(body.count, radix: 16) + "\r\n")
        connection.write(body + Array("\r\n0\r\n\r\n".utf8))
        connection.waitForEnd()
      }
      defer { server.stop() }
      let receiver = Receiver()
      let response = try await client.send(request("GET", server, receiver))
      #expect(response.isWithheld == isWithheld)
      #expect(receiver.begun == (isWithheld ? [] : [401]))
      #expect(response.body.count + receiver.text.utf8.count == body.count)
    }
  }

  @Test func aSuccessWithAnErrorInItIsWithheldIfItsLengthIsKnown() async throws {
    for (head, isWithheld) in [("Content-Length: 2\r\nContent-Type: application/json", true), ("Content-Type: application/json", false)] {
      let server = try RawServer { connection in
        _ = connection.request()
        connection.write("HTTP/1.1 200 OK\r\n\(head)\r\nConnection: close\r\n\r\n{}")
      }
      defer { server.stop() }
      let receiver = Receiver()
      var request = request("GET", server, receiver)
      request.peekLimit = 1000
      #expect(try await client.send(request).isWithheld == isWithheld)
      #expect(receiver.text == (isWithheld ? "" : "{}"))
    }
  }

  /// The relay is asked once, and again when the signal says so.
  @Test func aRelayWithoutRoomIsNotPolled() async throws {
    let body = String(repeating: "x", count: 100_000)
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + body)
    defer { server.stop() }
    let (receiver, signal) = (Receiver(), ExchangeSignal())
    receiver.state.withLock { $0.room = 1 }
    async let response = client.send(request("GET", server, receiver, signal))
    #expect(await soon { receiver.offered == 2 })
    // Polling would happen every 20 ms, and each of these exchanges goes through the same loop.
    let other = try RawServer(response: "HTTP/1.1 204 None\r\n\r\n")
    defer { other.stop() }
    for _ in 0..<20 { _ = try await client.send(HTTPRequest(method: "GET", url: other.url)) }
    #expect(receiver.offered == 2)
    receiver.state.withLock { $0.room = .max }
    signal.wake()
    #expect(try await response.bytes == 100_000)
    #expect(receiver.text == body)
  }

  @Test func nothingIsDecoded() async throws {
    let server = try RawServer(response: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz")
    defer { server.stop() }
    let receiver = Receiver()
    _ = try await client.send(request("GET", server, receiver))
    #expect(receiver.text == "xyz")
    #expect(server.requests.first?.contains("Accept-Encoding") == false)
  }

  /// The first request opens a connection, which the server closes after it has read the second one.
  @Test(arguments: [true, false])
  func aSuppliedBodyIsSentAgainOnlyIfItIsHeld(isHeld: Bool) async throws {
    let server = try RawServer { connection in
      guard connection.request() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      if connection.number == 1 { _ = connection.request() } else { connection.waitForEnd() }
    }
    defer { server.stop() }
    _ = try await client.send(HTTPRequest(method: "GET", url: server.url))
    let body = Mutex(0)
    let receiver = Receiver()
    var request = request("PUT", server, receiver)
    request.body = .supplied(
      .init(length: 3) { room in
        body.withLock { position in
          room.copyBytes(from: Array("abc".utf8.dropFirst(position).prefix(room.count)))
          defer { position = 3 }
          return .bytes(3 - position)
        }
      } rewind: {
        if isHeld { body.withLock { $0 = 0 } }
        return isHeld
      })
    if isHeld {
      #expect(try await client.send(request).status == 200)
      #expect(server.requests.last?.hasSuffix("\r\n\r\nabc") == true)
    } else {
      await #expect(throws: HTTPFailure.self) { try await client.send(request) }
      #expect(server.requests.count { $0.hasPrefix("PUT") } == 1)
    }
  }
}
