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

  /// Returns the owner of the peer's socket from Linux's connection tables; nil on systems without them.
  ///
  /// Every local user can read the start address on the browser's command line. Only this check hides the page from other users.
  @Sendable package static func ofPeer(_ descriptor: Int32) -> ConnectionOwner? {
    #if canImport(Glibc)
      guard let (own, peer) = addresses(descriptor) else { return .unknown }
      let mapped = own.isIPv6 ? [] : [("/proc/net/tcp6", own.mapped, peer.mapped)]
      for (path, own, peer) in [(own.isIPv6 ? "/proc/net/tcp6" : "/proc/net/tcp", own, peer)] + mapped {
        // In the peer's row, the peer's address is the local one.
        switch owner(in: contents(path), local: peer.text, remote: own.text) {
        case .user(let id): return isForeign(id) ? .unknown : .user(id)
        case .gone: return .gone
        case .unknown: continue
        }
      }
      return .unknown
    #else
      return nil
    #endif
  }

  /// Returns the user in that connection's row (`proc_net_tcp.txt` of the kernel); `unknown` if there is no such row.
  static func owner(in table: [UInt8], local: String, remote: String) -> ConnectionOwner {
    let wanted = Array(" \(local) \(remote) ".utf8)
    for line in table.split(separator: 10) {
      // A row starts with its number, followed by the two addresses.
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[(colon + 1)...].starts(with: wanted) else { continue }
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
      // A connection without an inode belongs to no process any more, and its user field is 0.
      guard fields.count > 9, let id = uid_t(fields[7]) else { return .unknown }
      return fields[9] == "0" ? .gone : .user(id)
    }
    return .unknown
  }

  #if canImport(Glibc)
    /// An address in the format of the kernel's tables: each word is in the machine's byte order.
    private struct Address {
      let words: [UInt32]
      let port: UInt16

      var isIPv6: Bool { words.count == 4 }
      /// The address in the form that an IPv6 socket with an IPv4 peer has (RFC 4291, 2.5.5.2).
      var mapped: Address { Address(words: [0, 0, UInt32(0xFFFF).bigEndian] + words, port: port) }
      var text: String { words.map { Self.hex($0, 8) }.joined() + ":" + Self.hex(UInt32(port), 4) }

      private static func hex(_ number: UInt32, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: digits - text.count) + text
      }
    }

    private static func addresses(_ descriptor: Int32) -> (own: Address, peer: Address)? {
      guard let own = address(descriptor, getsockname), let peer = address(descriptor, getpeername) else { return nil }
      return (own, peer)
    }

    private static func address(
      _ descriptor: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> Address? {
      var storage = sockaddr_in6()
      var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
      return withUnsafeMutableBytes(of: &storage) { bytes in
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), name(descriptor, start, &length) == 0 else {
          return nil
        }
        // Both families store the port at offset 2. The address is at 4 for IPv4, and at 8 behind the flow label for IPv6.
        let port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
        switch Int32(bytes.load(as: sa_family_t.self)) {
        case AF_INET: return Address(words: [bytes.load(fromByteOffset: 4, as: UInt32.self)], port: port)
        case AF_INET6: return Address(words: (0..<4).map { bytes.load(fromByteOffset: 8 + 4 * $0, as: UInt32.self) }, port: port)
        default: return nil
        }
      }
    }

    /// Whether the number may mean any user outside this user namespace. All of those appear as the overflow user (user_namespaces(7)).
    private static func isForeign(_ id: uid_t) -> Bool {
      guard id == number(in: contents("/proc/sys/kernel/overflowuid")) ?? 65534 else { return false }
      let map = String(decoding: contents("/proc/self/uid_map"), as: UTF8.self).split { $0 == " " || $0 == "\n" }
      return map != ["0", "0", "4294967295"]
    }

    private static func number(in text: [UInt8]) -> uid_t? { uid_t(String(decoding: text.prefix { $0 > 0x20 }, as: UTF8.self)) }

    /// Returns an empty array if the file cannot be read.
    private static func contents(_ path: String) -> [UInt8] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return [] }
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
      return bytes
    }
  #endif
}
