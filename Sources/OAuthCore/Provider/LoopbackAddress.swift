import Jansson

/// The address on this machine to which the browser returns: the loopback redirect of RFC 8252 section 7.3.
package struct LoopbackAddress: Sendable, Equatable {
  /// The host as written in the redirect URI. Providers compare it as text, so `localhost` and 127.0.0.1 are different redirect URIs.
  package enum Host: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
    /// Listens on both address families. A browser may try ::1 first, and another program listening there would receive the code.
    case localhost = "localhost"

    /// The addresses that the name stands for.
    package var families: [Host] { self == .localhost ? [.ipv4, .ipv6] : [self] }
  }

  package var host: Host
  /// Candidates in order of preference; 0 means any free port.
  package var ports: [UInt16]
  /// The path as in the redirect URI, without a query: empty or with a leading slash.
  package var path: String

  package init(host: Host = .ipv4, ports: [UInt16] = [0], path: String = "/") { (self.host, self.ports, self.path) = (host, ports, path) }

  /// Returns the redirect URI with this port.
  package func uri(_ port: UInt16) -> String { "http://\(host.rawValue):\(port)\(path)" }

  /// Whether the path has only characters of RFC 3986. No browser could request any other path.
  package var isPathUsable: Bool {
    let isPlain = path.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-._~!$&'()*+,;=:@/%".utf8.contains($0) }
    return isPlain && (path.isEmpty || path.utf8.first == UInt8(ascii: "/"))
  }
}
