import Jansson

/// What a protected resource says of itself (RFC 9728, 2).
struct ResourceMetadata: Sendable {
  let resource: String
  /// The authorization server that tokens for it come from.
  let server: URLParts
  private let name: String?
  private let scopes: [String]

  /// `asked` is the URL that somebody wants to use, which has to be the resource or to lie under it: else a token for this host could be asked for, and
  /// be sent, in the name of another (RFC 9728, 3.3).
  init(_ body: [UInt8], of asked: URLParts) throws(OAuthFailure) {
    let metadata = try MetadataDocument(body, of: asked.description)
    guard let resource = try metadata.text("resource") else { throw metadata.fault("has no resource") }
    guard let url = try? URLParts(resource), url.origin == asked.origin, Self.isUnder(asked.path, url.path), url.fragment == nil else {
      throw metadata.fault("is about another resource, \(ErrorText.clean(String(resource.prefix(200))))")
    }
    self.resource = resource
    guard let first = try metadata.texts("authorization_servers")?.first else { throw metadata.fault("names no authorization server") }
    if let problem = Provider.problem(ofEndpoint: first) { throw metadata.fault("names an authorization server that \(problem)") }
    do {
      server = try URLParts(first)
    } catch {
      throw metadata.fault("names an authorization server that is no url")
    }
    name = try metadata.text("resource_name")
    scopes = try metadata.texts("scopes_supported") ?? []
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
    if let name, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      members.append(.init("name", .string(name)))
    }
    let wanted = challenged ?? scopes
    if !wanted.isEmpty { members.append(.init("scopes", .array(wanted.map { .string($0) }))) }
    return members
  }

  private var apiHost: String { (try? URLParts(resource)).map { url in url.explicitPort.map { "\(url.host):\($0)" } ?? url.host } ?? "" }
}
