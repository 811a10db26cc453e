import Platform

/// The user at the other end of a loopback connection.
package enum ConnectionOwner: Equatable, Sendable {
  case user(uid_t)
  /// The other end has closed the connection. No response can reach it, and another user could hide behind a closed connection.
  case gone
  case unknown

  /// Whether the process serves the connection: its owner is this process's user or root, or cannot be determined.
  package var isServed: Bool {
    switch self {
    case .user(let id): id == 0 || id == getuid() || id == geteuid()
    case .gone: false
    case .unknown: true
    }
  }

  /// Returns the owner of the peer's socket, which Linux reports (sock_diag(7)); nil on other systems.
  ///
  /// Every local user can read the start address on the browser's command line. Only this check hides the page from other users.
  @Sendable package static func ofPeer(_ descriptor: Int32) -> ConnectionOwner? {
    #if canImport(Glibc)
      // A browser whose tab was closed at once has no address any more. Its request still counts, because `state` protects it.
      guard let own = address(descriptor, getsockname), let peer = address(descriptor, getpeername) else { return .unknown }
      let kernel = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), sockDiag)
      // Without a free descriptor the owner stays hidden, which another user could cause.
      guard kernel >= 0 else { return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .gone : .unknown }
      defer { close(kernel) }
      // nlmsghdr, then inet_diag_req_v2. The peer's address is the local one of the peer's socket.
      let request =
        bytes(UInt32(72)) + bytes(byFamily) + bytes(UInt16(1)) + bytes(UInt64(0)) + [own.family, UInt8(IPPROTO_TCP), 0, 0]
        + bytes(UInt32.max) + peer.port + own.port + peer.host + own.host + bytes(UInt32(0)) + bytes(UInt64.max)
      guard send(kernel, request, request.count, 0) == request.count else { return .unknown }
      let reply = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, recv(kernel, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
      }
      let owner = owner(in: reply)
      if case .user(let id) = owner, isForeign(id) { return .unknown }
      return owner
    #else
      return nil
    #endif
  }

  #if canImport(Glibc)
    /// NETLINK_SOCK_DIAG and SOCK_DIAG_BY_FAMILY.
    private static let (sockDiag, byFamily): (Int32, UInt16) = (4, 20)
    private static let listening: UInt8 = 10

    /// Returns the user in the kernel's reply: nlmsghdr and inet_diag_msg, or another message if there is no such socket.
    static func owner(in reply: [UInt8]) -> ConnectionOwner {
      reply.withUnsafeBytes { reply in
        // Without the connection, the kernel may find a socket that listens on the peer's port.
        guard reply.count >= 88, reply.load(fromByteOffset: 4, as: UInt16.self) == byFamily, reply[17] != listening else { return .unknown }
        let (id, inode) = (reply.load(fromByteOffset: 80, as: UInt32.self), reply.load(fromByteOffset: 84, as: UInt32.self))
        // A connection without an inode belongs to no process any more, and its user is 0.
        return inode == 0 ? .gone : .user(id)
      }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    /// Returns the address in the network's order. The host has 16 bytes.
    private static func address(
      _ descriptor: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (family: UInt8, port: [UInt8], host: [UInt8])? {
      var storage = sockaddr_in6()
      var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      return withUnsafeMutableBytes(of: &storage) { bytes in
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), name(descriptor, start, &length) == 0 else {
          return nil
        }
        // Both families store the port at offset 2. The address is at 4 for IPv4, and at 8 behind the flow label for IPv6.
        let port = Array(bytes[2..<4])
        let family = bytes.load(as: sa_family_t.self)
        switch Int32(family) {
        case AF_INET: return (UInt8(family), port, Array(bytes[4..<8]) + [UInt8](repeating: 0, count: 12))
        case AF_INET6: return (UInt8(family), port, Array(bytes[8..<24]))
        default: return nil
        }
      }
    }

    /// Whether the number may mean any user outside this user namespace. All of those appear as the overflow user (user_namespaces(7)).
    private static func isForeign(_ id: uid_t) -> Bool {
      guard id == words("/proc/sys/kernel/overflowuid").first.flatMap({ uid_t($0) }) ?? 65534 else { return false }
      return words("/proc/self/uid_map") != ["0", "0", "4294967295"]
    }

    /// Returns an empty array if the file cannot be read.
    private static func words(_ path: String) -> [Substring] {
      String(decoding: (try? PosixFile.read(path)) ?? [], as: UTF8.self).split { $0 == " " || $0 == "\n" }
    }
  #endif
}
