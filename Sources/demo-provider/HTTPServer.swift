import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A listening socket on loopback. Each connection gets its own thread.
struct HTTPServer: Sendable {
  /// The allowed addresses. Only loopback, because the demo has no password.
  enum Host: String, Sendable {
    case v4 = "127.0.0.1"
    case v6 = "::1"

    /// The host in URL syntax (RFC 3986 §3.2.2 brackets IPv6).
    var inURL: String { self == .v4 ? "127.0.0.1" : "[::1]" }
  }

  /// The server can't listen. `code` is `errno`.
  struct ListenError: Error, CustomStringConvertible {
    let call: String
    let code: Int32
    var description: String { "the server can't listen: \(call) failed, \(String(cString: strerror(code)))" }
  }

  let port: UInt16
  private let listener: Int32

  /// Binds and listens. With port 0 the system chooses a free port, which `port` returns.
  init(host: Host, port: UInt16) throws(ListenError) {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    listener = socket(host == .v4 ? AF_INET : AF_INET6, stream, 0)
    guard listener >= 0 else { throw ListenError(call: "socket", code: errno) }
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    self.port = host == .v4 ? try Self.bindV4(listener, port: port) : try Self.bindV6(listener, port: port)
    // The queue of waiting connections is long enough for any test's burst.
    guard listen(listener, 512) == 0 else { throw ListenError(call: "listen", code: errno) }
  }

  private static func bindV4(_ descriptor: Int32, port: UInt16) throws(ListenError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try bind(descriptor, to: &address)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func bindV6(_ descriptor: Int32, port: UInt16) throws(ListenError) -> UInt16 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    try bind(descriptor, to: &address)
    return UInt16(bigEndian: address.sin6_port)
  }

  /// Binds the socket and replaces the requested address by the actual one.
  private static func bind<Address>(_ descriptor: Int32, to address: inout Address) throws(ListenError) {
    var size = socklen_t(MemoryLayout<Address>.size)
    let bound = withSocketAddress(&address) { systemBind(descriptor, $0, size) }
    guard bound == 0 else { throw ListenError(call: "bind", code: errno) }
    let named = withSocketAddress(&address) { getsockname(descriptor, $0, &size) }
    guard named == 0 else { throw ListenError(call: "getsockname", code: errno) }
  }

  private static func withSocketAddress<Address>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) -> Int32
  ) -> Int32 {
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  /// Accepts connections for ever. `answer` is called on the connection's thread.
  func serve(answer: @escaping @Sendable (Request) -> Response) -> Never {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else {
        // The descriptors are used up. Others will be closed soon, so try again in 10 ms.
        if errno == EMFILE || errno == ENFILE { usleep(10_000) }
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

/// Calls the C function. Inside the type, the method of the same name hides it.
private func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
  bind(descriptor, address, size)
}
