import Jansson

/// A JSON object of metadata that a server publishes, read strictly: a member of the wrong type is an error.
package struct MetadataDocument: Sendable {
  private var json: JSON
  private let url: URLParts

  /// `url` is the server or resource that the metadata describes.
  package init(_ body: [UInt8], of url: URLParts) throws(OAuthFailure) {
    self.url = url
    do {
      json = try JSON.parse(body)
    } catch {
      // A number beyond 64 bits in one member does not invalidate the others.
      guard case .numberOutOfRange(let rest?) = error else { throw Self.fault("is not json", url) }
      json = rest
    }
    guard json.members != nil else { throw Self.fault("is not an object", url) }
  }

  /// Returns this document with the members that only `other` has. Ignores `other` if its issuer differs.
  package func filled(from other: MetadataDocument) throws(OAuthFailure) -> MetadataDocument {
    guard try other.text("issuer") == text("issuer") else { return self }
    let own = (json.members ?? []).filter { $0.value != .null }
    var filled = self
    filled.json = .object(own + (other.json.members ?? []).filter { member in !own.contains { $0.name == member.name } })
    return filled
  }

  package func fault(_ problem: String) -> OAuthFailure { Self.fault(problem, url) }

  private static func fault(_ problem: String, _ url: URLParts) -> OAuthFailure {
    .untrusted("the metadata of \(url.shown) \(problem)")
  }

  /// Returns the URL in the member `name`.
  package func endpoint(_ name: String, isPage: Bool = false) throws(OAuthFailure) -> String? {
    guard let place = try text(name) else { return nil }
    if let problem = Self.problem(ofPlace: place, named: url, isPage: isPage) { throw fault("has a wrong \(name): it \(problem)") }
    return place
  }

  /// Returns what is wrong with a URL that `speaker` names. A remote server must not name a URL on this machine or in a private network
  /// (RFC 9728, 7.7), nor use {names} as placeholders.
  package static func problem(ofPlace place: String, named speaker: URLParts, isPage: Bool = false) -> String? {
    if let problem = Provider.problem(ofEndpoint: place, isPage: isPage) { return problem }
    if place.utf8.contains(where: { "{}".utf8.contains($0) }) { return "contains braces" }
    guard let scope = (try? URLParts(place)).map(NetworkScope.init), scope > NetworkScope(speaker) else { return nil }
    return "is \(scope.place)"
  }

  package func text(_ name: String) throws(OAuthFailure) -> String? {
    switch json[name] {
    case nil, .null?: return nil
    case .string(let text)? where !text.isEmpty: return text
    default: throw fault("has a \(name) that is not a string")
    }
  }

  package func texts(_ name: String) throws(OAuthFailure) -> [String]? {
    switch json[name] {
    case nil, .null?: return nil
    case .array(let values)?:
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw fault("has a \(name) with values other than strings") }
      return texts
    default: throw fault("has a \(name) that is not a list")
    }
  }

  func isTrue(_ name: String) -> Bool { json[name] == .bool(true) }
}

// MARK: Authorization servers
extension MetadataDocument {
  /// The end of the error message for a server that requires DPoP (RFC 9449).
  package static let demandsDPoP = "requires DPoP, which is not supported"

  /// Returns the issuer. Rejects metadata of an issuer other than `asked`: otherwise any host could impersonate another (RFC 8414, 3.3).
  @discardableResult package func checkedIssuer(_ asked: URLParts) throws(OAuthFailure) -> String {
    guard let issuer = try text("issuer") else { throw fault("has no issuer") }
    guard Self.isSame(issuer, asked) else { throw fault("names another issuer, \(ErrorText.clean(String(issuer.prefix(200))))") }
    return issuer
  }

  /// Returns an authorization server's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3) as the description of a provider. `asked` is the
  /// issuer that the metadata must be about.
  ///
  /// Throws `responseUntrusted` for metadata that cannot be trusted, and `unsupportedByProvider` for demands that no sign-in can meet.
  package func serverDescription(of asked: URLParts) throws(OAuthFailure) -> [JSON.Member] {
    var members = [JSON.Member("issuer", .string(try checkedIssuer(asked)))]
    for (name, member) in Self.endpoints {
      guard let url = try endpoint(name, isPage: name == "authorization_endpoint") else { continue }
      members.append(.init(member, .string(url)))
    }
    guard members.contains(where: { $0.name == "tokenEndpoint" }) else { throw fault("has no token_endpoint") }
    if isTrue("dpop_bound_access_tokens_required") { throw .unsupported("\(asked.host) \(Self.demandsDPoP)") }
    if isTrue("require_pushed_authorization_requests") {
      members.append(.init("pushedAuthorizationRequests", .string(AuthorizationOptions.Switch.on.rawValue)))
    }
    if let way = try clientAuthentication(asked) { members.append(.init("clientAuthentication", .string(way.rawValue))) }
    if members.contains(where: { $0.name == "registrationEndpoint" }), let way = try registeredAuthentication {
      members.append(.init("registrationParameters", .object([.init("token_endpoint_auth_method", .string(way))])))
    }
    // The list of challenge methods is only checked. PKCE stays on: a server without S256 ignores the challenge (RFC 6749, 3.1), and metadata
    // must not switch off what protects the code.
    _ = try texts("code_challenge_methods_supported")
    if isTrue("authorization_response_iss_parameter_supported") {
      members.append(.init("redirectIssuer", .string(AuthorizationOptions.RedirectIssuer.required.rawValue)))
    }
    return members
  }

  private static let endpoints = [
    ("authorization_endpoint", "authorizationEndpoint"), ("token_endpoint", "tokenEndpoint"), ("revocation_endpoint", "revocationEndpoint"),
    ("introspection_endpoint", "introspectionEndpoint"), ("userinfo_endpoint", "userInfoEndpoint"),
    ("device_authorization_endpoint", "deviceAuthorizationEndpoint"), ("registration_endpoint", "registrationEndpoint"),
    ("pushed_authorization_request_endpoint", "pushedAuthorizationRequestEndpoint"), ("end_session_endpoint", "endSessionEndpoint"),
    ("jwks_uri", "jwksUri"),
  ]

  /// Compares the issuers byte for byte, except for a trailing slash, which users add or omit. The metadata's spelling is used from then on.
  ///
  /// If every tenant is an issuer, `asked` must be one of them.
  private static func isSame(_ issuer: String, _ asked: URLParts) -> Bool {
    func trimmed(_ text: String) -> Substring { text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...] }
    return trimmed(issuer) == trimmed(asked.description) || IssuerTemplate(issuer).mayName(String(trimmed(asked.description)))
  }

  /// Returns the authentication method for registration; nil means `none`. `none` is preferred, since a program on a user's machine cannot keep a
  /// secret (RFC 8252, 8.4).
  private var registeredAuthentication: String? {
    get throws(OAuthFailure) {
      guard let methods = try texts(Self.methods), !methods.contains("none") else { return nil }
      return ["client_secret_basic", "client_secret_post"].first(where: methods.contains)
    }
  }

  /// Returns nil if the metadata has no list, which means Basic (RFC 8414, 2).
  ///
  /// If Basic and the body are listed, Basic is tried first and then the body, since some servers reject a method that they list.
  private func clientAuthentication(_ asked: URLParts) throws(OAuthFailure) -> TokenOptions.ClientAuthentication? {
    guard let methods = try texts(Self.methods), !methods.isEmpty else { return nil }
    switch (methods.contains("client_secret_basic"), methods.contains("client_secret_post")) {
    case (true, true): return .probe
    case (true, false): return .basic
    case (false, true): return .body
    case (false, false):
      if methods == ["none"] { return TokenOptions.ClientAuthentication.none }
      guard !methods.contains("none") else { return nil }
      let listed = ErrorText.clean(String(methods.joined(separator: ", ").prefix(200)))
      throw .unsupported(
        "\(asked.host) accepts only clients that authenticate by \(listed); supported are a secret by Basic, a secret in the body, or no secret"
      )
    }
  }

  private static let methods = "token_endpoint_auth_methods_supported"
}

extension MetadataDocument {
  /// The metadata of a protected resource (RFC 9728, 2).
  package struct Resource: Sendable {
    package let resource: String
    /// The authorization servers that issue tokens for the resource, in order of preference; never empty.
    package let servers: [URLParts]
    /// Whether the resource accepts only DPoP-bound tokens (RFC 9728, 2). A list of DPoP algorithms alone does not require DPoP.
    package let demandsDPoP: Bool
    private let name: String?
    private let scopes: [String]

    /// `asked` is the URL that the user wants to use. It must be the resource or lie under it (RFC 9728, 3.3): otherwise a host could obtain tokens
    /// that are meant for another host.
    package init(_ body: [UInt8], of asked: URLParts) throws(OAuthFailure) {
      let metadata = try MetadataDocument(body, of: asked)
      guard let resource = try metadata.text("resource") else { throw metadata.fault("has no resource") }
      guard let url = try? URLParts(resource), url.origin == asked.origin, Self.isUnder(asked.path, url.path),
        problem(ofPlace: resource, named: asked) == nil
      else {
        throw metadata.fault("is about another resource, \(ErrorText.clean(String(resource.prefix(200))))")
      }
      self.resource = resource
      let named = try metadata.texts("authorization_servers") ?? []
      guard let first = named.first else { throw metadata.fault("names no authorization server") }
      servers = named.filter { problem(ofPlace: $0, named: asked) == nil }.compactMap { try? URLParts($0) }
      if servers.isEmpty {
        throw metadata.fault(
          "names a wrong authorization server: its url \(problem(ofPlace: first, named: asked) ?? "is not valid")")
      }
      demandsDPoP = metadata.isTrue("dpop_bound_access_tokens_required")
      name = try metadata.text("resource_name").flatMap { Self.isShowable($0) ? $0 : nil }
      scopes = Self.usable(try metadata.texts("scopes_supported") ?? [])
    }

    /// Returns whether the resource is exactly this URL, not a parent of it. Ignores a trailing slash.
    package func isExactly(_ url: URLParts) -> Bool {
      func trimmed(_ url: URLParts) -> String { String(url.shown.utf8.last == UInt8(ascii: "/") ? url.shown.dropLast() : url.shown[...]) }
      return (try? URLParts(resource)).map { trimmed($0) == trimmed(url) } ?? false
    }

    /// Returns whether a name is safe on pages and terminals: at most 100 characters, none of which controls the terminal or the text direction.
    private static func isShowable(_ name: String) -> Bool {
      name.unicodeScalars.count <= 100
        && name.unicodeScalars.allSatisfy { scalar in
          ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }

    /// Returns the valid scopes (RFC 6749, 3.3). A scope with a space would count as two.
    private static func usable(_ scopes: [String]) -> [String] {
      scopes.filter { scope in
        !scope.isEmpty && scope.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      }
    }

    /// Returns whether `path` is `base` or below it.
    private static func isUnder(_ path: String, _ base: String) -> Bool {
      let base = base.utf8.last == UInt8(ascii: "/") ? base.dropLast() : base[...]
      return path == base || path.utf8.starts(with: base.utf8 + [UInt8(ascii: "/")]) || (base.isEmpty && path.isEmpty)
    }

    /// Returns the description of a provider for this resource (RFC 8707): the server's members, the API base and the scopes. Scopes that a challenge
    /// demanded win over `scopes_supported`.
    package func description(over server: [JSON.Member], challenged: [String]?) -> [JSON.Member] {
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
}

extension MetadataDocument {
  /// The well-known URLs where an authorization server or a protected resource publishes its metadata.
  package enum WellKnown {
    /// Returns the URLs of an issuer's OAuth document and of its OpenID Connect document; a document may have several possible URLs.
    ///
    /// RFC 8414 (3.1) puts the well-known part before the path, OpenID Connect Discovery 1.0 (4.1) after it. Some servers put the OpenID
    /// Connect part before it, too.
    package static func server(_ issuer: URLParts) -> [[String]] {
      let path = path(of: issuer)
      let openid = [path + "/.well-known/openid-configuration", "/.well-known/openid-configuration" + path]
      // Without a path, the last two are the same.
      return [["/.well-known/oauth-authorization-server" + path], path.isEmpty ? [openid[0]] : openid].map { places in
        places.map { issuer.origin + $0 }
      }
    }

    /// Returns the issuer or resource that a pasted well-known URL describes; nil for any other URL.
    package static func subject(of url: URLParts) -> URLParts? {
      for name in ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"] {
        guard let range = url.path.firstRange(of: "/.well-known/" + name), url.path[range.upperBound...].first.map({ $0 == "/" }) ?? true
        else {
          continue
        }
        var subject = url
        subject.path = String(url.path[..<range.lowerBound] + url.path[range.upperBound...])
        return subject
      }
      return nil
    }

    /// Returns the URLs of a resource's metadata (RFC 9728, 3.1). Many resources have only one document for the whole host.
    package static func resource(_ url: URLParts) -> [String] {
      let place = url.origin + "/.well-known/oauth-protected-resource"
      let (path, query) = (path(of: url), url.query.map { "?" + $0 } ?? "")
      return path.isEmpty && query.isEmpty ? [place] : [place + path + query, place]
    }

    /// Returns whether the URL has neither a path nor a query.
    package static func isRoot(_ url: URLParts) -> Bool { path(of: url).isEmpty && url.query == nil }

    /// Returns the path without a trailing slash, which makes no difference here.
    private static func path(of url: URLParts) -> String {
      url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }
  }
}
