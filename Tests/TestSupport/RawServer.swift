import Platform
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on a free loopback port that answers with arbitrary bytes, valid or not. Each connection has its own thread.
package final class RawServer: Sendable {
  package typealias Serve = @Sendable (RawConnection) -> Void

  package let port: UInt16
  private let listener: Int32
  private let serve: Serve
  private let recorded = Mutex<(requests: [String], connections: Int)>(([], 0))

  /// Answers every request with `response`, and keeps the connection open unless the response says otherwise.
  package convenience init(response: String) throws {
    try self.init { connection in
      while connection.request() != nil { connection.write(response) }
    }
  }

  package init(serve: @escaping Serve) throws {
    // Linux's SOCK_STREAM is an enum, Darwin's a number.
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) | listen(listener, 64) | getsockname(listener, address, &size)
      }
    }
    guard listener >= 0, code == 0 else { throw RawServerFailure(errno: errno) }
    self.listener = listener
    self.serve = serve
    port = UInt16(bigEndian: address.sin_port)
    Thread.start(stackSize: 1 << 20) { [self] in accept() }
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  /// The requests so far, head and body as received.
  package var requests: [String] { recorded.withLock { $0.requests } }
  package var connections: Int { recorded.withLock { $0.connections } }

  /// Accepts no further connections and ends the thread.
  package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func accept() {
    while true {
      #if canImport(Glibc)
        let descriptor = Glibc.accept(listener, nil, nil)
      #else
        let descriptor = Darwin.accept(listener, nil, nil)
      #endif
      guard descriptor >= 0 else { break }
      let number = recorded.withLock { recorded in
        recorded.connections += 1
        return recorded.connections
      }
      let connection = RawConnection(descriptor: descriptor, number: number) { [self] text in
        recorded.withLock { $0.requests.append(text) }
      }
      Thread.start(stackSize: 1 << 20) { [self] in
        serve(connection)
        close(descriptor)
      }
    }
    close(listener)
  }
}

package struct RawServerFailure: Error {
  package let errno: Int32
}

/// One connection to a `RawServer`. It is closed when the test's closure returns.
package struct RawConnection: Sendable {
  package let descriptor: Int32
  /// The number of the connection, from 1.
  package let number: Int
  fileprivate let record: @Sendable (String) -> Void

  /// Waits for a whole request, records it and returns it; nil once the client has closed. The body's end is found by Content-Length.
  package func request() -> String? {
    var bytes: [UInt8] = []
    var end: Int?
    while end.map({ bytes.count < $0 }) ?? true {
      guard let more = read(), !more.isEmpty else { return nil }
      bytes += more
      if end == nil, let head = headEnd(bytes) { end = head + contentLength(bytes[..<head]) }
    }
    let text = String(decoding: bytes, as: UTF8.self)
    record(text)
    return text
  }

  /// Waits for bytes until they end with `end`, and returns them.
  package func text(to end: String) -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8), let more = read(), !more.isEmpty { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  package func write(_ text: String) { write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Waits for the client to close, without answering; true if it did within `seconds`.
  @discardableResult
  package func waitForEnd(seconds: Int = 120) -> Bool {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    while let more = read() {
      if more.isEmpty { return true }
    }
    return errno == ECONNRESET
  }

  package func pause(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

  /// Ends the connection with a reset.
  package func reset() { Self.resetAtEnd(descriptor) }

  /// Lets the end of the connection be a reset.
  package static func resetAtEnd(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Returns an empty array at the end, nil on an error.
  private func read() -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &room, room.count, 0)
    return count < 0 ? nil : Array(room[..<count])
  }

  private func headEnd(_ bytes: [UInt8]) -> Int? {
    let blank = Array("\r\n\r\n".utf8)
    guard bytes.count >= 4 else { return nil }
    return (0...bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == blank }.map { $0 + 4 }
  }

  private func contentLength(_ head: ArraySlice<UInt8>) -> Int {
    for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
      return line.split(separator: ":").last.flatMap { Int($0.filter { $0 != " " }) } ?? 0
    }
    return 0
  }
}
