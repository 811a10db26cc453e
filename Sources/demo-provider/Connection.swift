import Platform

/// One accepted connection. It answers requests in turn until either side closes it (RFC 9112 §9.3).
struct Connection: ~Copyable {
  private let descriptor: Int32
  /// Bytes received but not yet parsed.
  private var received: [UInt8] = []

  /// In bytes. A larger head gets status 431.
  private static let headLimit = 256 * 1024
  /// 256 MiB, because the whole body is kept in memory. A larger body gets status 413.
  private static let bodyLimit = 256 * 1024 * 1024

  /// The status for an unreadable request.
  private struct Rejection: Error { let status: Int }

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var yes: Int32 = 1
    // Without this option, a small answer can wait 40 ms for the other side's acknowledgement.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  mutating func serve(_ answer: (Request) -> Response) {
    do throws(Rejection) {
      while let request = try nextRequest() {
        guard send(answer(request), to: request), request.keepsConnection else { return }
      }
    } catch {
      let response = Response.error("invalid_request", "the request can't be read", status: error.status)
      _ = write(response.head(keepsConnection: false) + response.body)
    }
  }

  // MARK: Reading

  private mutating func nextRequest() throws(Rejection) -> Request? {
    guard let head = try takeHead() else { return nil }
    guard var request = Request(head: head) else { throw Rejection(status: 400) }
    if request[header: "expect"]?.lowercased() == "100-continue" { _ = write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    if let text = request[header: "content-length"] {
      guard let length = Int(text), length >= 0 else { throw Rejection(status: 400) }
      guard length <= Self.bodyLimit else { throw Rejection(status: 413) }
      request.body = try take(length)
    }
    return request
  }

  /// Returns the bytes before a blank line and consumes both. Returns nil at the end of the stream.
  private mutating func takeHead() throws(Rejection) -> [UInt8]? {
    while true {
      if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
        defer { received.removeSubrange(..<end.upperBound) }
        return Array(received[..<end.lowerBound])
      }
      guard received.count <= Self.headLimit else { throw Rejection(status: 431) }
      guard readMore() else { return nil }
    }
  }

  private mutating func take(_ count: Int) throws(Rejection) -> [UInt8] {
    while received.count < count {
      guard readMore() else { throw Rejection(status: 400) }
    }
    let bytes = Array(received[..<count])
    received.removeSubrange(..<count)
    return bytes
  }

  private mutating func readMore() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    let count = PosixFile.retry { Int32(read(descriptor, &chunk, chunk.count)) }
    if count > 0 { received += chunk[..<Int(count)] }
    return count > 0
  }

  // MARK: Writing

  /// Sends the response. Returns false if the connection can send no more.
  private func send(_ response: Response, to request: Request) -> Bool {
    write(response.head(keepsConnection: request.keepsConnection) + (request.method == "HEAD" ? [] : response.body))
  }

  private func write(_ bytes: [UInt8]) -> Bool { LoopbackSocket.sendAll(bytes, to: descriptor) }
}

/// A listening socket on loopback. Each connection gets its own thread.
struct HTTPServer: Sendable {
  var port: UInt16 { socket.port }
  private let socket: LoopbackSocket

  /// Binds to loopback only, because the demo has no password, and listens. With port 0 the system chooses a free port, which `port` returns.
  init(port: UInt16) throws(LoopbackSocket.Fault) { socket = try LoopbackSocket(isIPv6: false, port: port) }

  /// Accepts connections for ever. `answer` is called on the connection's thread.
  func serve(answer: @escaping @Sendable (Request) -> Response) -> Never {
    while true {
      guard let descriptor = try? socket.accept() else {
        // Usually the descriptors are used up. Others will be closed soon, so try again in 10 ms.
        usleep(10_000)
        continue
      }
      // Each connection blocks in `read` and `write`, which Swift's cooperative pool does not allow.
      let result = Thread.start(stackSize: 1 << 20) {
        var connection = Connection(descriptor: descriptor)
        connection.serve(answer)
      }
      if result != 0 { close(descriptor) }
    }
  }
}
