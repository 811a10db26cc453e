import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A client on a raw socket. Its blocking calls run on a separate queue: on Swift's thread pool they would block the handlers.
package struct LoopbackBrowser: Sendable {
  package struct Response: Sendable {
    package let text: String
    package var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    package var head: String { text.split(separator: "\r\n\r\n", maxSplits: 1).first.map(String.init) ?? "" }
    package var body: String { text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first.map(String.init) ?? "" }
    package func field(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    }
  }

  package let port: UInt16
  package var family: Int32

  private static let lastPort = Mutex(UInt16.random(in: 20_000..<28_000))

  /// A port that a test can bind again after it has closed it, another one each time: systems give none below 32768 to a program that asks for any.
  package static var rebindablePort: UInt16 {
    lastPort.withLock { last in
      repeat { last += 1 } while [AF_INET, AF_INET6].contains { LoopbackBrowser(port: last, family: $0).isAnswered }
      return last
    }
  }

  private var isAnswered: Bool { connected().map { close($0) } != nil }

  package init(port: UInt16, family: Int32 = AF_INET) { (self.port, self.family) = (port, family) }

  package static func onItsOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "browser").async { continuation.resume(returning: work()) }
    }
  }

  /// Returns a connected socket with a receive timeout of two minutes, or nil if no process listens.
  package func connected() -> Int32? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var result: Int32
    if family == AF_INET6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      result = withUnsafeBytes(of: &address) {
        connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
      }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr = in_addr(s_addr: inet_addr("127.0.0.1"))
      result = withUnsafeBytes(of: &address) {
        connect(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    var time = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    return descriptor
  }

  package static func say(_ text: String, on descriptor: Int32, pieces: Int = .max) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      guard Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { return }
      rest = rest.dropFirst(piece.count)
    }
  }

  package static func hear(_ descriptor: Int32) -> Response {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 { bytes += buffer[..<count] }
    close(descriptor)
    return Response(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Sends raw text, optionally in small pieces, and reads until the listener closes.
  package func send(raw: String, pieces: Int = .max) async -> Response? {
    await Self.onItsOwnThread {
      guard let descriptor = connected() else { return nil }
      Self.say(raw, on: descriptor, pieces: pieces)
      return Self.hear(descriptor)
    }
  }

  package func get(_ target: String, host: String = "127.0.0.1", fields: String = "") async -> Response? {
    await send(raw: "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\n\(fields)\r\n")
  }

  package func post(_ target: String, _ body: String, type: String = "application/x-www-form-urlencoded") async -> Response? {
    let head = "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    return await send(raw: head + body)
  }
}
