import Platform

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
