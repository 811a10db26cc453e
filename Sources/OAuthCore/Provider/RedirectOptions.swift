import Jansson

/// The redirect URIs that a provider accepts (RFC 8252, 7 and 8.3).
package struct RedirectOptions: Sendable {
  package enum Policy: String, StringEnum {
    package static let schemaName: String? = "RedirectPolicy"

    case anyPort, pinnedPort, https

    package var documentation: String {
      switch self {
      case .anyPort: "The provider accepts any port of the loopback address."
      case .pinnedPort: "The provider accepts a registered port of the loopback address."
      case .https: "The provider accepts https only, so the client receives the redirect itself."
      }
    }
  }

  package var redirectHost: String?
  package var redirectPath: String?
  package var redirectPorts: [Int] = []
  package var redirectPolicy = Policy.anyPort

  /// The loopback URI to register, with `PORT` if any port works; nil if the provider accepts no loopback URI.
  package var loopbackUri: String? {
    guard redirectPolicy != .https else { return nil }
    let port = redirectPorts.first.map(String.init) ?? "PORT"
    return "http://\(redirectHost ?? LoopbackAddress.Host.ipv4.rawValue):\(port)\(redirectPath ?? "/callback")"
  }

  package init() {}

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    redirectHost = try fields.optional(
      "redirectHost", "The loopback host of redirects: `127.0.0.1`, `[::1]` or `localhost`. Without it, the process uses `127.0.0.1`.")
    redirectPath = try fields.optional("redirectPath", "The path of loopback redirects. Without it, the process uses `/callback`.")
    redirectPorts = try fields.optional(
      "redirectPorts", default: [],
      "The ports of loopback redirects, in the order in which the process tries them. Without them, it uses any free port.")
    redirectPolicy = try fields.optional("redirectPolicy", default: .anyPort, "The redirect URIs that the provider accepts.")
    guard !fields.isDescribing else { return }
    if let redirectHost, !["127.0.0.1", "[::1]", "localhost"].contains(redirectHost) {
      throw FieldError(fields.pointer("redirectHost"), "must be 127.0.0.1, [::1] or localhost")
    }
    if let redirectPath, !redirectPath.hasPrefix("/") { throw FieldError(fields.pointer("redirectPath"), "must start with /") }
    for (index, port) in redirectPorts.enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "must be a port from 1 to 65535")
    }
  }
}

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
