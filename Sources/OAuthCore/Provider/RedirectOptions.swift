import Jansson

/// The redirect URIs that a provider accepts (RFC 8252, 7 and 8.3).
package struct RedirectOptions: Sendable {
  /// Whether a provider redirects to loopback addresses, and to which ports.
  package enum Policy: String, DescribedEnum {
    package static let schemaName: String? = "RedirectPolicy"

    case anyPort, pinnedPort, https
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

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    redirectHost = try fields.optional(
      "redirectHost", "The loopback host of redirects: `127.0.0.1`, `[::1]` or `localhost`. Without it, the process uses `127.0.0.1`.")
    redirectPath = try fields.optional("redirectPath", "The path of loopback redirects. Without it, the process uses `/callback`.")
    redirectPorts = try fields.optional(
      "redirectPorts", default: [],
      "The ports of loopback redirects, in the order in which the process tries them. Without them, it uses any free port.")
    redirectPolicy = try fields.optional("redirectPolicy", default: .anyPort, "The redirect URIs that the provider accepts.")
    if let redirectHost, !["127.0.0.1", "[::1]", "localhost"].contains(redirectHost) {
      throw FieldError(fields.pointer("redirectHost"), "must be 127.0.0.1, [::1] or localhost")
    }
    if let redirectPath, !redirectPath.hasPrefix("/") { throw FieldError(fields.pointer("redirectPath"), "must start with /") }
    for (index, port) in redirectPorts.enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "must be a port from 1 to 65535")
    }
  }
}
