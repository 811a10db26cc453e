import Jansson

/// What a provider takes as redirect address (RFC 8252, 7 and 8.3).
package struct RedirectManner: Sendable {
  package enum Policy: String, FieldWord {
    /// Any port of the loopback address will do (RFC 8252, 7.3).
    case anyPort
    /// The port has to be registered, so the caller or `redirectPorts` has to name it.
    case pinnedPort
    /// Only https is taken, so the client has to catch the redirect itself.
    case https
  }

  package var redirectHost: String?
  package var redirectPath: String?
  package var redirectPorts: [Int] = []
  package var redirectPolicy = Policy.anyPort

  /// The loopback address as it has to be registered, with `PORT` where that is anybody's choice; nil where the provider takes none.
  package var loopbackUri: String? {
    guard redirectPolicy != .https else { return nil }
    let port = redirectPorts.first.map(String.init) ?? "PORT"
    return "http://\(redirectHost ?? LoopbackAddress.Host.ipv4.rawValue):\(port)\(redirectPath ?? "/callback")"
  }

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    redirectHost = try fields.optional("redirectHost", "The loopback host of redirects: 127.0.0.1, [::1] or localhost.")
    redirectPath = try fields.optional("redirectPath", "The path of loopback redirects.")
    redirectPorts =
      try fields.optional("redirectPorts", "The ports of loopback redirects, tried in order; any free one by default.") ?? []
    redirectPolicy =
      try fields.optional(
        "redirectPolicy",
        "What redirect addresses the provider takes: any loopback port by default, a port that is registered, or https alone.")
      ?? .anyPort
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    if let redirectHost, !["127.0.0.1", "[::1]", "localhost"].contains(redirectHost) {
      throw FieldError(fields.pointer("redirectHost"), "has to be 127.0.0.1, [::1] or localhost")
    }
    for (index, port) in redirectPorts.enumerated() where !(1...65535).contains(port) {
      throw FieldError(fields.pointer("redirectPorts") + "/\(index)", "has to be a port from 1 to 65535")
    }
  }
}
