import CPlatform

/// A socket that listens for connections from this machine only.
package struct LoopbackSocket: Sendable {
  /// The error number of a failed call.
  package struct Fault: Error, CustomStringConvertible {
    package let code: Int32
    let port: UInt16
    package var isPortInUse: Bool { code == EADDRINUSE }
    package var reason: String { Descriptors.reason(code) }
    package var description: String { "the process cannot listen on port \(port): \(reason)" }
  }

  package let descriptor: Int32
  package let port: UInt16

  /// Listens on ::1 or 127.0.0.1. With port 0 the system chooses a free port.
  package init(isIPv6: Bool, port: UInt16) throws(Fault) {
    var port = port
    descriptor = cplatform_listen(isIPv6 ? 1 : 0, &port)
    guard descriptor >= 0 else { throw Fault(code: errno, port: port) }
    self.port = port
  }

  /// Waits for a connection and returns its descriptor. Children don't inherit it.
  package func accept() throws(Fault) -> Int32 {
    let connection = cplatform_accept(descriptor)
    guard connection >= 0 else { throw Fault(code: errno, port: port) }
    return connection
  }

  /// Lets `accept` fail instead of waiting. Between `poll` and `accept` a connection may vanish.
  package func stopWaiting() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

  package func end() { close(descriptor) }

  /// Sends bytes within `milliseconds`; 0 means no limit. A receiver that takes a byte now and then does not prolong it.
  /// Returns false if the connection takes no more.
  package static func sendAll(_ bytes: [UInt8], to connection: Int32, timeoutMilliseconds milliseconds: Int = 0) -> Bool {
    let end = Clock.system.uptime() + milliseconds
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      if milliseconds > 0 {
        let left = end - Clock.system.uptime()
        guard left > 0 else { return false }
        var limit = timeval(tv_sec: left / 1000, tv_usec: .init(left % 1000 * 1000))
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      }
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
    }
    return true
  }
}
