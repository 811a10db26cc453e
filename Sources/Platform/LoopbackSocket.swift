import CPlatform

/// A socket that listens for connections: from this machine only, unless the user names an address.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32
  package let port: UInt16

  /// Listens on the address, or on ::1 or 127.0.0.1. With port 0 the system chooses a free port.
  package init(isIPv6: Bool, address: String? = nil, port: UInt16) throws(Descriptors.Fault) {
    var port = port
    descriptor = cplatform_listen(isIPv6 ? 1 : 0, address, &port)
    guard descriptor >= 0 else { throw Descriptors.Fault(code: errno) }
    self.port = port
  }

  /// Waits for a connection and returns its descriptor. Children don't inherit it.
  package func accept() throws(Descriptors.Fault) -> Int32 {
    let connection = cplatform_accept(descriptor)
    guard connection >= 0 else { throw Descriptors.Fault(code: errno) }
    return connection
  }

  /// Lets `accept` fail instead of waiting. Between `poll` and `accept` a connection may vanish.
  package func stopWaiting() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

  /// Frees the port. Without the shutdown, a child that is just starting would keep it with its copy of the descriptor.
  package func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Sends bytes within `milliseconds`. A receiver that takes a byte now and then does not prolong it.
  /// Returns false if the connection takes no more.
  package static func sendAll(_ bytes: [UInt8], to connection: Int32, timeoutMilliseconds milliseconds: Int) -> Bool {
    let end = Clock.system.uptime() + milliseconds
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let left = end - Clock.system.uptime()
      guard left > 0 else { return false }
      var limit = timeval(tv_sec: left / 1000, tv_usec: .init(left % 1000 * 1000))
      setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}
