import Platform

/// A listening socket on loopback. Each connection gets its own thread.
struct HTTPServer: Sendable {
  /// The allowed addresses. Only loopback, because the demo has no password.
  enum Host: String, Sendable {
    case v4 = "127.0.0.1"
    case v6 = "::1"

    /// The host in URL syntax (RFC 3986 §3.2.2 brackets IPv6).
    var inURL: String { self == .v4 ? "127.0.0.1" : "[::1]" }
  }

  var port: UInt16 { socket.port }
  private let socket: LoopbackSocket

  /// Binds and listens. With port 0 the system chooses a free port, which `port` returns.
  init(host: Host, port: UInt16) throws(LoopbackSocket.Fault) {
    socket = try LoopbackSocket(isIPv6: host == .v6, port: port)
  }

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
