import CPlatform

/// A socket that listens for connections: from this machine only, unless the user names an address.
package struct LoopbackSocket: Sendable {
  package let descriptor: Int32
  /// 0 for a socket file.
  package let port: UInt16
  /// The path of a socket file.
  package private(set) var file: String?

  /// Listens on the address, or on ::1 or 127.0.0.1. With port 0 the system chooses a free port.
  package init(isIPv6: Bool, address: String? = nil, port: UInt16) throws(Descriptors.Fault) {
    var port = port
    descriptor = cplatform_listen(isIPv6 ? 1 : 0, address, &port)
    guard descriptor >= 0 else { throw Descriptors.Fault(code: errno) }
    self.port = port
  }

  /// Listens at a file in a folder of the user, in which no other one can put another socket in its place.
  package init(file: String, mode: mode_t) throws(Descriptors.Fault) {
    var status = stat()
    let end = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    guard stat(end.map { String(file[...$0]) } ?? ".", &status) == 0 else { throw Descriptors.Fault(code: errno) }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else { throw Descriptors.Fault(code: EPERM) }
    descriptor = cplatform_listen_file(file, mode)
    guard descriptor >= 0 else { throw Descriptors.Fault(code: errno) }
    (port, self.file) = (0, file)
  }

  /// Waits for a connection and returns its descriptor. Children don't inherit it.
  package func accept() throws(Descriptors.Fault) -> Int32 {
    let connection = cplatform_accept(descriptor)
    guard connection >= 0 else { throw Descriptors.Fault(code: errno) }
    return connection
  }

  /// Returns the user at the other end of a connection to a socket file; nil if that is not known.
  package static func user(at connection: Int32) -> uid_t? { uid_t(exactly: cplatform_peer_user(connection)) }

  /// Returns the user at the other end of a TCP connection of this machine. -1 if that is not known, -2 if no process has that end any more or this
  /// one has no free descriptor, and -3 if the system cannot tell.
  package static func owner(at connection: Int32) -> Int64 { cplatform_peer_owner(connection) }

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
