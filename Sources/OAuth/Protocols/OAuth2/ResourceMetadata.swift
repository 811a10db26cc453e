import Jansson

/// What a protected resource says of itself (RFC 9728, 2).
struct ResourceMetadata: Sendable {
  let resource: String
  /// The authorization servers that tokens for it come from, the preferred one first; never empty.
  let servers: [URLParts]
  /// Whether it takes only tokens that are bound to a key (RFC 9728, 2). Listing algorithms for such tokens demands nothing.
  let demandsDPoP: Bool
  private let name: String?
  private let scopes: [String]

  /// `asked` is the URL that somebody wants to use, which has to be the resource or to lie under it: else a token for this host could be asked for, and
  /// be sent, in the name of another (RFC 9728, 3.3).
  init(_ body: [UInt8], of asked: URLParts) throws(OAuthFailure) {
    let metadata = try MetadataDocument(body, of: asked)
    guard let resource = try metadata.text("resource") else { throw metadata.fault("has no resource") }
    guard let url = try? URLParts(resource), url.origin == asked.origin, Self.isUnder(asked.path, url.path),
      MetadataDocument.problem(ofPlace: resource, named: asked) == nil
    else {
      throw metadata.fault("is about another resource, \(ErrorText.clean(String(resource.prefix(200))))")
    }
    self.resource = resource
    let named = try metadata.texts("authorization_servers") ?? []
    guard let first = named.first else { throw metadata.fault("names no authorization server") }
    servers = named.filter { MetadataDocument.problem(ofPlace: $0, named: asked) == nil }.compactMap { try? URLParts($0) }
    if servers.isEmpty {
      throw metadata.fault("names an authorization server that \(MetadataDocument.problem(ofPlace: first, named: asked) ?? "is no url")")
    }
    demandsDPoP = metadata.isTrue("dpop_bound_access_tokens_required")
    name = try metadata.text("resource_name").flatMap { Self.isShowable($0) ? $0 : nil }
    scopes = Self.usable(try metadata.texts("scopes_supported") ?? [])
  }

  /// Whether it is this very URL, and not one above it; a slash at the end means nothing.
  func isExactly(_ url: URLParts) -> Bool {
    func trimmed(_ url: URLParts) -> String { String(url.shown.utf8.last == UInt8(ascii: "/") ? url.shown.dropLast() : url.shown[...]) }
    return (try? URLParts(resource)).map { trimmed($0) == trimmed(url) } ?? false
  }

  /// Whether a name may stand on pages and terminals: nothing in it steers them or turns the text around, and it is no longer than a name is.
  private static func isShowable(_ name: String) -> Bool {
    name.unicodeScalars.count <= 100
      && name.unicodeScalars.allSatisfy { scalar in
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      }
  }

  /// Those that are scopes (RFC 6749, 3.3): one with a blank in it would be two.
  private static func usable(_ scopes: [String]) -> [String] {
    scopes.filter { scope in
      !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
  }

  /// The path itself, or one below it.
  private static func isUnder(_ path: String, _ base: String) -> Bool {
    let base = base.utf8.last == UInt8(ascii: "/") ? base.dropLast() : base[...]
    return path == base || path.utf8.starts(with: base.utf8 + [UInt8(ascii: "/")]) || (base.isEmpty && path.isEmpty)
  }

  /// The description of a provider whose tokens are for this resource (RFC 8707): what its server says, and where the API is. Scopes that a challenge
  /// asked for come before those that there are.
  func description(over server: [JSON.Member], challenged: [String]?) -> [JSON.Member] {
    var members = server + [.init("apiBase", .string(resource)), .init("apiHosts", [.string(apiHost)])]
    members.append(.init("authorizationParameters", .object([.init("resource", .string(resource))])))
    if let name { members.append(.init("name", .string(name))) }
    let asked = Self.usable(challenged ?? [])
    let wanted = asked.isEmpty ? scopes : asked
    if !wanted.isEmpty { members.append(.init("scopes", .array(wanted.map { .string($0) }))) }
    return members
  }

  private var apiHost: String { (try? URLParts(resource)).map { url in url.explicitPort.map { "\(url.host):\($0)" } ?? url.host } ?? "" }
}
