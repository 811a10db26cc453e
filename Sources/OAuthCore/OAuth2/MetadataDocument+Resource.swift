import Jansson

extension MetadataDocument {
  /// The metadata of a protected resource (RFC 9728, 2).
  package struct Resource: Sendable {
    package let resource: String
    /// The authorization servers that issue tokens for the resource, in order of preference; never empty.
    package let servers: [URLParts]
    /// Whether the resource accepts only DPoP-bound tokens (RFC 9728, 2). A list of DPoP algorithms alone does not require DPoP.
    package let demandsDPoP: Bool
    /// Safe on pages and terminals; nil if the resource has no such name.
    private let name: String?
    package let scopes: [String]

    /// `asked` is the URL that the user wants to use. It must be the resource or lie under it (RFC 9728, 3.3): otherwise a host could obtain tokens
    /// that are meant for another host.
    package init(_ body: [UInt8], of asked: URLParts) throws(OAuthFailure) {
      let metadata = try MetadataDocument(body, of: asked)
      guard let resource = try metadata.text("resource") else { throw metadata.fault("has no resource") }
      guard let url = try? URLParts(resource), url.origin == asked.origin, Self.isUnder(asked.path, url.path),
        problem(ofPlace: resource, named: asked) == nil
      else {
        throw metadata.fault(
          "is about another resource, \(Redaction.none.clean(String(resource.prefix(200)))): the server has to name its own URL; "
            + "otherwise, an entry of the configuration may name its authorization server as discovery and this URL as apiBase")
      }
      self.resource = resource
      let named = try metadata.texts("authorization_servers") ?? []
      guard let first = named.first else { throw metadata.fault("names no authorization server") }
      servers = named.filter { problem(ofPlace: $0, named: asked) == nil }.compactMap { try? URLParts($0) }
      if servers.isEmpty {
        throw metadata.fault("names a wrong authorization server: its URL \(problem(ofPlace: first, named: asked) ?? "is not valid")")
      }
      demandsDPoP = metadata.isTrue("dpop_bound_access_tokens_required")
      name = try metadata.text("resource_name").flatMap { $0.unicodeScalars.count <= 100 && $0.plain == $0 ? $0 : nil }
      scopes = Self.usable(try metadata.texts("scopes_supported") ?? [])
    }

    /// Returns whether the resource is exactly this URL, not a parent of it. Ignores a trailing slash.
    package func isExactly(_ url: URLParts) -> Bool {
      func trimmed(_ url: URLParts) -> String { String(url.shown.utf8.last == UInt8(ascii: "/") ? url.shown.dropLast() : url.shown[...]) }
      return (try? URLParts(resource)).map { trimmed($0) == trimmed(url) } ?? false
    }

    /// Returns the valid scopes (RFC 6749, 3.3), each once. A scope with a space would count as two.
    static func usable(_ scopes: [String]) -> [String] { JSON.array(scopes.map { .string($0) }).scopes?.distinct ?? [] }

    /// Returns whether `path` is `base` or below it.
    package static func isUnder(_ path: String, _ base: String) -> Bool {
      let base = base.utf8.last == UInt8(ascii: "/") ? base.dropLast() : base[...]
      return path == base || path.utf8.starts(with: base.utf8 + [UInt8(ascii: "/")]) || (base.isEmpty && path.isEmpty)
    }

    /// Returns the description of a provider for this resource (RFC 8707): the server's members, the API base and the scopes.
    package func description(over server: [JSON.Member], scopes: [String]) -> [JSON.Member] {
      var members = server + [.init("apiBase", .string(resource)), .init("apiHosts", [.string(apiHost)])]
      members.append(.init("authorizationParameters", .object([.init("resource", .string(resource))])))
      if let name { members.append(.init("name", .string(name))) }
      if !scopes.isEmpty { members.append(.init("scopes", .array(scopes.map { .string($0) }))) }
      return members
    }

    private var apiHost: String { (try? URLParts(resource)).map { url in url.explicitPort.map { "\(url.host):\($0)" } ?? url.host } ?? "" }
  }
}

extension HTTPChallenge {
  /// What a protected resource demands with a 401: where its metadata is, and which scopes a token needs (RFC 9728, 5.1; RFC 6750, 3).
  package struct Resource: Sendable, Equatable {
    /// The URL of the metadata, unchecked.
    package var metadata: String?
    /// nil if the challenge names none.
    package var scopes: [String]?
    /// Whether the resource names DPoP (RFC 9449, 7.1) and no bearer tokens.
    package var demandsDPoP = false

    package init(metadata: String?, scopes: [String]?, demandsDPoP: Bool = false) {
      (self.metadata, self.scopes, self.demandsDPoP) = (metadata, scopes, demandsDPoP)
    }

    package init(_ response: HTTPResponse) {
      let headers = response.headers.filter { $0.isNamed("www-authenticate") }
      func names(_ scheme: String) -> Bool { headers.contains { $0.value.lowercased().contains(scheme) } }
      demandsDPoP = names("dpop") && !names("bearer")
      let parameters = headers.flatMap { header in ["bearer", "dpop"].flatMap { HTTPChallenge.parameters(header.value, scheme: $0) } }
      func value(_ name: String) -> String? {
        parameters.first { $0.name.lowercased() == name }.map { String(decoding: $0.value, as: UTF8.self) }
      }
      metadata = value("resource_metadata")
      let named = MetadataDocument.Resource.usable((value("scope") ?? "").split(separator: " ").map(String.init))
      scopes = named.isEmpty ? nil : named
    }
  }
}
