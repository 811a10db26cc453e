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
  /// The address that the configuration names instead, as in a URL. A forwarder leads the redirects there. They may name any host.
  package var interface: String?
  /// Candidates in order of preference; 0 means any free port.
  package var ports: [UInt16]
  /// The path as in the redirect URI, without a query: empty or with a leading slash.
  package var path: String

  package init(host: Host = .ipv4, interface: String? = nil, ports: [UInt16] = [0], path: String = "/") {
    (self.host, self.interface, self.ports, self.path) = (host, interface, ports, path)
  }

  /// Reads an IP address and a port, such as `0.0.0.0:8000` or `[::]:8000`; nil for another text.
  package init?(listen text: String) {
    guard let url = URLParts(scheme: "http", host: text), let port = url.explicitPort.flatMap(UInt16.init(exactly:)), port > 0,
      url.host.hasPrefix("[") || url.host.utf8.allSatisfy({ isASCIIDigit($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    self.init(host: url.host.hasPrefix("[") ? .ipv6 : .ipv4, interface: url.host, ports: [port])
  }

  package var name: String { interface ?? host.rawValue }

  /// Whether only this machine reaches it.
  package var isLocal: Bool { URLParts(scheme: "http", host: name)?.isLoopback == true }

  /// Returns the redirect URI with this port.
  package func uri(_ port: UInt16) -> String { "http://\(name):\(port)\(path)" }

  /// Whether the path has only characters of RFC 3986. No browser could request any other path.
  package var isPathUsable: Bool {
    let isPlain = path.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-._~!$&'()*+,;=:@/%".utf8.contains($0) }
    return isPlain && (path.isEmpty || path.utf8.first == UInt8(ascii: "/"))
  }
}
