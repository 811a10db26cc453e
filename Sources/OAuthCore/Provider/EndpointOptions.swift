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

/// How tokens are revoked: by RFC 7009 or in the provider's own way.
package struct RevocationOptions: Sendable {
  package enum Style: String, StringEnum {
    package static let schemaName: String? = "RevocationStyle"

    case rfc7009, get, query, json, bearer, deleteWithBasic, delete, signed, none

    package var documentation: String {
      switch self {
      case .rfc7009: "A form with the token and a hint (RFC 7009)."
      case .get: "GET with the token in the query."
      case .query: "POST with the token in the query and the client's authentication."
      case .json: "POST with the token as JSON and the client's Basic credentials."
      case .bearer: "POST without a body, with the token in the `Authorization` header."
      case .deleteWithBasic: "DELETE with the token as JSON and the client's Basic credentials."
      case .delete: "DELETE without a body, with the token in the `Authorization` header."
      case .signed: "OAuth 1.0a: POST that the token signs."
      case .none: "The provider revokes no tokens."
      }
    }
  }

  /// Which of a grant's tokens are sent for revocation.
  package enum Tokens: String, StringEnum {
    package static let schemaName: String? = "RevocationTokens"

    case both, access, refresh

    package var documentation: String {
      switch self {
      case .both: "The refresh token, then the access token."
      case .access: "The access token."
      case .refresh: "The refresh token."
      }
    }
  }

  package var revocationEndpoint: String?
  package var revocationStyle: Style?
  package var revocationToken = Tokens.both
  /// nil for the style's default name.
  package var revocationTokenParameter: String?
  package var revocationParameters = NamedValues<String>()

  package init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    revocationEndpoint = try fields.endpoint(
      "revocationEndpoint",
      "The URL that revokes tokens (RFC 7009). It may contain {clientId}. With the styles `get` and `query`, its path or "
        + "query may contain {accessToken}.")
    revocationStyle = try fields.optional("revocationStyle", "The form of a revocation request. Without it, an endpoint uses `rfc7009`.")
    revocationToken = try fields.optional("revocationToken", default: .both, "The tokens that the process sends for revocation.")
    revocationTokenParameter = try fields.optional(
      "revocationTokenParameter",
      "The parameter or JSON member with the token. Without it, the name is `token`, or `access_token` with the style "
        + "`deleteWithBasic`.")
    revocationParameters = try fields.optional(
      "revocationParameters", default: .init(),
      "Extra parameters of revocation requests with the style `rfc7009`. They may contain {accessToken}, the token to revoke.")
    guard !fields.isDescribing else { return }
    if revocationTokenParameter?.isEmpty == true { throw FieldError(fields.pointer("revocationTokenParameter"), "must not be empty") }
    guard namesAccessToken, let endpoint = revocationEndpoint else { return }
    let place = fields.pointer("revocationEndpoint")
    guard [.get, .query].contains(revocationStyle) else {
      throw FieldError(place, "contains {accessToken}, which only get and query allow")
    }
    // A token in the host name would be visible in DNS queries.
    guard let token = endpoint.firstRange(of: "{accessToken}"), let scheme = endpoint.firstRange(of: "://"),
      scheme.upperBound <= token.lowerBound, endpoint[scheme.upperBound..<token.lowerBound].contains("/")
    else { throw FieldError(place, "has {accessToken} before its path") }
  }

  /// Whether the endpoint contains the token (Stack Exchange).
  private var namesAccessToken: Bool { revocationEndpoint?.contains("{accessToken}") == true }

  /// Returns whether a token with this hint (RFC 7009, 2.1) is sent. Only the access token is sent if it authenticates the request or is in the
  /// endpoint.
  package func includes(_ hint: String) -> Bool {
    let isAccess = hint == "access_token"
    if namesAccessToken { return isAccess }
    switch revocationStyle ?? .rfc7009 {
    case .bearer, .delete, .deleteWithBasic, .signed: return isAccess
    case .rfc7009, .get, .query, .json, .none: return revocationToken == .both || (revocationToken == .access) == isAccess
    }
  }
}

/// How token responses deviate (RFC 6749, 5.1 and 5.2).
package struct TokenResponseOptions: Sendable {
  package enum ExpiresZero: String, StringEnum {
    case never, expired

    package var documentation: String {
      switch self {
      case .never: "The token does not expire."
      case .expired: "The token has expired."
      }
    }
  }

  package var tokenPath: DottedPath?
  package var memberNames = NamedValues<DottedPath>()
  package var tokenType: String?
  package var tokenTypeDefault = "Bearer"
  package var expiresZero = ExpiresZero.never
  package var expiresDefault: Int?
  package var tokenErrors: ErrorPlaces?
  package var tokenMembers: [DottedPath] = []

  package init() {}

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    tokenPath = try fields.optional("tokenPath", "The dotted path of the object with the token members, such as `data` or `authed_user`.")
    memberNames = try fields.optional(
      "memberNames", default: .init(), "The dotted paths of standard members in token responses, from the top of the response.")
    tokenType = try fields.optional("tokenType", "The access token's type. It overrides the response's `token_type`.")
    tokenTypeDefault = try fields.optional(
      "tokenTypeDefault", default: "Bearer", "The access token's type if the response has no `token_type`.")
    expiresZero = try fields.optional(
      "expiresZero", default: .never,
      "The meaning of 0 in `expires_in`. If a response has no `expires_in`, the process reads `expires_at`.")
    expiresDefault = try fields.optional(
      "expiresDefault", in: 1...3_155_760_000, "The lifetime of an access token in seconds, if the response does not name it.")
    tokenErrors = try fields.optional(
      "tokenErrors", "The places of errors in token responses, including responses with status 200. Without it, RFC 6749, 5.2 applies.")
    tokenMembers = try fields.optional(
      "tokenMembers", default: [],
      "The dotted paths of members of token responses that the process stores with the account. `apiBase` and `apiHeaders` "
        + "may contain them as {name}, by the last part of their path.")
    guard !fields.isDescribing else { return }
    for (member, type) in [("tokenType", tokenType), ("tokenTypeDefault", tokenTypeDefault)] {
      guard let type, !HTTPRequest.isToken(type) else { continue }
      throw FieldError(fields.pointer(member), "must be the name of an authentication scheme")
    }
  }
}

extension TokenResponseOptions {
  /// Where a service's responses have its own errors.
  package struct ErrorPlaces: FieldObject {
    package var success: DottedPath?
    package var code: DottedPath?
    package var message: DottedPath?
    package var refused: [String] = []

    package init(_ fields: inout ObjectReader) throws(FieldError) {
      success = try fields.optional(
        "success",
        "The dotted path of a member that shows an error even if the status is 200. The value is then `false`, or a string "
          + "other than `ok` and `success`.")
      code = try fields.optional("code", "The dotted path of the error's code. The values 0, \"\" and null mean that there is no error.")
      message = try fields.optional("message", "The dotted path of the error's text.")
      refused = try fields.optional(
        "refused", default: [],
        "Codes that end the login with any status, such as 200. Other errors end it with status 400, 401 or 403 if they are about neither "
          + "the server nor the client. The status is the code of a response without a body.")
    }
  }
}
