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

  /// Returns the owner of the peer's socket, which Linux reports; nil on other systems.
  ///
  /// Every local user can read the start address on the browser's command line. Only this check hides the page from other users.
  @Sendable package static func ofPeer(_ descriptor: Int32) -> ConnectionOwner? {
    switch LoopbackSocket.owner(at: descriptor) {
    case -3: nil
    case -2: .gone
    case let user where user >= 0 && !isForeign(uid_t(user)): .user(uid_t(user))
    default: .unknown
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
}
