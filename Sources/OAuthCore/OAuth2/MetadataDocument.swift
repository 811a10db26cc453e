import Jansson

/// A JSON object of metadata that a server publishes, read strictly: a member of the wrong type is an error.
package struct MetadataDocument: Sendable {
  private var json: JSON
  private let url: URLParts

  /// `url` is the server or resource that the metadata describes.
  package init(_ body: [UInt8], of url: URLParts) throws(OAuthFailure) {
    self.url = url
    guard let found = try? JSON.parseRounding(body) else { throw Self.fault("is not valid JSON", url) }
    guard found.members != nil else { throw Self.fault("is not an object", url) }
    json = found.withoutEmptyMembers()
  }

  /// Returns this document with the members that only `other` has. Ignores `other` if its issuer differs.
  package func filled(from other: MetadataDocument) throws(OAuthFailure) -> MetadataDocument {
    guard try other.text("issuer") == text("issuer") else { return self }
    let own = json.members ?? []
    var filled = self
    filled.json = .object(own + (other.json.members ?? []).filter { member in !own.contains { $0.name == member.name } })
    return filled
  }

  package func fault(_ problem: String) -> OAuthFailure { Self.fault(problem, url) }

  private static func fault(_ problem: String, _ url: URLParts) -> OAuthFailure { .untrusted("the metadata of \(url.shown) \(problem)") }

  /// Returns the URL in the member `name`.
  package func endpoint(_ name: String, isPage: Bool = false) throws(OAuthFailure) -> String? {
    try endpoint(try text(name), name, isPage: isPage)
  }

  private func endpoint(_ place: String?, _ name: String, isPage: Bool = false) throws(OAuthFailure) -> String? {
    guard let place else { return nil }
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
    case nil: return nil
    case .string(let text)?: return text
    default: throw fault("has a \(name) that is not a string")
    }
  }

  package func texts(_ name: String) throws(OAuthFailure) -> [String]? {
    switch json[name] {
    case nil: return nil
    case .array(let all)?:
      let values = all.filter { $0 != .null && $0 != "" }
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw fault("has a \(name) with values other than strings") }
      return texts
    default: throw fault("has a \(name) that is not a list")
    }
  }

  package func lists(_ value: String, in name: String) throws(OAuthFailure) -> Bool { try texts(name)?.contains(value) == true }

  package func isTrue(_ name: String) -> Bool { json[name] == .bool(true) }
}

// MARK: Authorization servers
extension MetadataDocument {
  /// Returns the issuer. Rejects metadata of an issuer other than `asked`: otherwise any host could impersonate another (RFC 8414, 3.3).
  @discardableResult package func checkedIssuer(_ asked: URLParts) throws(OAuthFailure) -> String {
    guard let issuer = try text("issuer") else { throw fault("has no issuer") }
    guard Self.isSame(issuer, asked) else { throw fault("names another issuer, \(Redaction.none.clean(String(issuer.prefix(200))))") }
    return issuer
  }

  /// Returns an authorization server's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3) as the description of a provider. `asked` is the
  /// issuer that the metadata must be about.
  ///
  /// Throws `responseUntrusted` for metadata that cannot be trusted, and `unsupportedByProvider` for demands that no sign-in can meet.
  package func serverDescription(of asked: URLParts) throws(OAuthFailure) -> [JSON.Member] {
    let issuer = try checkedIssuer(asked)
    var members = [JSON.Member("issuer", .string(issuer))]
    var aliases: [JSON.Member] = []
    for place in Endpoint.all {
      guard let name = place.metadata else { continue }
      if let url = try endpoint(name, isPage: name == "authorization_endpoint") { members.append(.init(place.member, .string(url))) }
      // A wrong alias says nothing about the endpoints of clients without a certificate (RFC 8705, 5).
      let alias = place.hasAlias ? json["mtls_endpoint_aliases"]?[name]?.string : nil
      if let url = try? endpoint(alias, "mtls_endpoint_aliases.\(name)") { aliases.append(.init(place.member, .string(url))) }
    }
    guard members.contains(where: { $0.name == "tokenEndpoint" }) else { throw fault("has no token_endpoint") }
    if !aliases.isEmpty { members.append(.init("mtlsEndpoints", .object(aliases))) }
    if isTrue("dpop_bound_access_tokens_required") { members.append(.init("dpop", .bool(true))) }
    if isTrue("require_pushed_authorization_requests") {
      members.append(.init("pushedAuthorizationRequests", .string(AuthorizationOptions.Switch.on.rawValue)))
    }
    if let way = try clientAuthentication(asked) { members.append(.init("clientAuthentication", .string(way.rawValue))) }
    let hasRegistration = members.contains { $0.name == "registrationEndpoint" }
    if !hasRegistration, let apps = try endpoint("app_registration_endpoint") {
      let form = AuthorizationOptions.RegistrationFormat.form.rawValue
      members += [.init("registrationEndpoint", .string(apps)), .init("registrationFormat", .string(form))]
    } else if hasRegistration, let way = try registeredAuthentication {
      members.append(.init("registrationParameters", .object([.init("token_endpoint_auth_method", .string(way))])))
    }
    let algorithms = try texts("id_token_signing_alg_values_supported")?.filter { IDTokenAlgorithm(rawValue: $0) != nil } ?? []
    if !algorithms.isEmpty { members.append(.init("idTokenAlgorithms", .array(algorithms.map { .string($0) }))) }
    // Microsoft, whose issuer has a placeholder for the tenant, rejects `resource` beside `scope` (AADSTS9010010).
    if IssuerTemplate(issuer).isForTenants { members.append(.init("resourceIndicator", .string(AuthorizationOptions.Switch.off.rawValue))) }
    // The list of challenge methods is only checked. PKCE stays on: a server without S256 ignores the challenge (RFC 6749, 3.1), and metadata
    // must not switch off what protects the code.
    _ = try texts("code_challenge_methods_supported")
    if isTrue("authorization_response_iss_parameter_supported") {
      members.append(.init("redirectIssuer", .string(AuthorizationOptions.RedirectIssuer.required.rawValue)))
    }
    return members
  }

  /// Compares the issuers byte for byte, except for a trailing slash, which users add or omit. The metadata's spelling is used from then on.
  ///
  /// If every tenant is an issuer, `asked` must be one of them.
  private static func isSame(_ issuer: String, _ asked: URLParts) -> Bool {
    func trimmed(_ text: String) -> Substring { text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...] }
    return trimmed(issuer) == trimmed(asked.description) || IssuerTemplate(issuer).mayName(String(trimmed(asked.description)))
  }

  /// Returns the authentication method for registration; nil means `none`. `none` is preferred, since a program on a user's machine cannot keep a
  /// secret (RFC 8252, 8.4). The body comes before Basic: servers of the MCP Python SDK list Basic, and read the client's ID in the body alone.
  private var registeredAuthentication: String? {
    get throws(OAuthFailure) {
      guard let methods = try texts(Self.methods), !methods.contains("none") else { return nil }
      return ["client_secret_post", "client_secret_basic"].first(where: methods.contains)
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
      if methods.contains("private_key_jwt") { return .privateKeyJwt }
      if methods.contains("client_secret_jwt") { return .clientSecretJwt }
      if methods.contains("tls_client_auth") { return .tlsClientAuth }
      if methods.contains("self_signed_tls_client_auth") { return .selfSignedTlsClientAuth }
      let listed = Redaction.none.clean(String(methods.joined(separator: ", ").prefix(200)))
      throw .unsupported(
        "\(asked.host) accepts only clients that authenticate by \(listed); supported are a secret by Basic or in the body, an assertion that a key or a secret signs, a certificate, or no secret"
      )
    }
  }

  private static let methods = "token_endpoint_auth_methods_supported"
}

extension MetadataDocument {
  /// The well-known URLs where an authorization server or a protected resource publishes its metadata.
  package enum WellKnown {
    /// Returns the URLs of an issuer's OAuth document and of its OpenID Connect document; a document may have several possible URLs.
    /// The last one is for servers without any other.
    ///
    /// RFC 8414 (3.1) puts the well-known part before the path, OpenID Connect Discovery 1.0 (4.1) after it. Some servers exchange the two.
    package static func server(_ issuer: URLParts) -> [[String]] {
      let path = path(of: issuer)
      let (oauth, openid) = ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration")
      let all = path.isEmpty ? [[oauth], [openid]] : [[oauth + path], [path + openid, openid + path], [path + oauth]]
      return all.map { places in places.map { issuer.origin + $0 } }
    }

    /// Returns the issuer or resource that a pasted well-known URL describes; nil for any other URL.
    package static func subject(of url: URLParts) -> URLParts? {
      for name in ["oauth-authorization-server", "openid-configuration", "oauth-protected-resource"] {
        guard let range = url.path.firstRange(of: "/.well-known/" + name), url.path[range.upperBound...].first.map({ $0 == "/" }) ?? true
        else { continue }
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
