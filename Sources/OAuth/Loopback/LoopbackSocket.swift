import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The listening sockets of one loopback address: one, or two on the same port for `localhost`.
struct LoopbackSockets {
  package let port: UInt16
  let descriptors: [Int32]

  /// Attempts to find a port that is free in both families. An attempt fails only if another program holds the chosen port on ::1.
  private static let freePortAttempts = 16
  /// Connections that the kernel queues before they are accepted. A browser opens fewer.
  private static let backlog: Int32 = 128

  /// Binds the first free candidate, on loopback addresses only.
  static func bind(_ address: LoopbackAddress) throws(LoopbackFailure) -> LoopbackSockets {
    var otherReason: LoopbackFailure?
    for port in address.ports {
      for _ in 0..<(port == 0 ? freePortAttempts : 1) {
        switch bind(address.host, port: port) {
        case .success(let sockets): return sockets
        case .failure(.portInUse): continue
        case .failure(let failure): otherReason = otherReason ?? failure
        }
      }
    }
    throw otherReason ?? (address.ports.isEmpty ? .unavailable(reason: "no port was given to listen on") : .portInUse(address.ports))
  }

  private static func bind(_ host: LoopbackAddress.Host, port: UInt16) -> Result<LoopbackSockets, LoopbackFailure> {
    switch host {
    case .ipv4: return listen(AF_INET, port).map { LoopbackSockets(port: $0.port, descriptors: [$0.descriptor]) }
    case .ipv6: return listen(AF_INET6, port).map { LoopbackSockets(port: $0.port, descriptors: [$0.descriptor]) }
    case .localhost: break
    }
    let first: (descriptor: Int32, port: UInt16)
    switch listen(AF_INET, port) {
    case .success(let socket): first = socket
    case .failure(let failure): return .failure(failure)
    }
    switch listen(AF_INET6, first.port) {
    case .success(let second): return .success(LoopbackSockets(port: first.port, descriptors: [first.descriptor, second.descriptor]))
    case .failure(.unavailable): return .success(LoopbackSockets(port: first.port, descriptors: [first.descriptor]))
    case .failure(let failure):
      closeDescriptor(first.descriptor)
      return .failure(failure)
    }
  }

  private static func listen(_ family: Int32, _ port: UInt16) -> Result<(descriptor: Int32, port: UInt16), LoopbackFailure> {
    #if canImport(Glibc)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return .failure(reason("a socket could not be made", errno)) }
    prepare(descriptor)
    // SO_REUSEADDR allows a port whose last connections are still closing. Without SO_REUSEPORT no other program can listen on the same port.
    set(descriptor, SOL_SOCKET, SO_REUSEADDR)
    if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
    guard bindLoopback(descriptor, family, port) == 0, listenOn(descriptor) == 0, let bound = boundPort(descriptor) else {
      let code = errno
      closeDescriptor(descriptor)
      return .failure(code == EADDRINUSE ? .portInUse([port]) : reason("port \(port) of this machine could not be listened on", code))
    }
    return .success((descriptor, bound))
  }

  private static func listenOn(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(descriptor, backlog)
    #else
      Darwin.listen(descriptor, backlog)
    #endif
  }

  private static func bindLoopback(_ descriptor: Int32, _ family: Int32, _ port: UInt16) -> Int32 {
    if family == AF_INET6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return bindAny(descriptor, &address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return bindAny(descriptor, &address)
  }

  private static func bindAny<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    withUnsafeBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      #if canImport(Glibc)
        return Glibc.bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #else
        return Darwin.bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      #endif
    }
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress else { return Int32(-1) }
      return getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length)
    }
    // sockaddr_in and sockaddr_in6 store the port in the same two bytes.
    return result == 0 ? UInt16(bigEndian: address.sin6_port) : nil
  }

  func close() { descriptors.forEach(Self.closeDescriptor) }

  private static func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Makes a socket non-blocking and closes it in child processes. Accepted connections need the same.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
  }

  static func reason(_ text: String, _ code: Int32) -> LoopbackFailure {
    .unavailable(reason: "\(text): \(Descriptors.reason(code))")
  }
}
