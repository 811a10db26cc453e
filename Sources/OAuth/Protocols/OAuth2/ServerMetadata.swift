import Jansson

/// What an authorization server says of itself (RFC 8414, 2; OpenID Connect Discovery 1.0, 3), as the description of a provider.
struct ServerMetadata: Sendable {
  let description: [JSON.Member]

  /// How a server is refused that wants tokens bound to a key (RFC 9449).
  static let demandsDPoP = "demands DPoP, which is not supported"

  /// Refuses a document of another issuer than `asked`: any host could otherwise speak for another (RFC 8414, 3.3).
  static func checkIssuer(of metadata: MetadataDocument, _ asked: URLParts) throws(OAuthFailure) {
    guard let issuer = try metadata.text("issuer") else { throw metadata.fault("has no issuer") }
    guard isSame(issuer, asked) else { throw metadata.fault("names another issuer, \(ErrorText.clean(String(issuer.prefix(200))))") }
  }

  /// `asked` is the issuer whose metadata it is.
  ///
  /// Throws `responseUntrusted` for what cannot be believed, and `unsupportedByProvider` for what no sign-in can fulfil.
  init(_ metadata: MetadataDocument, of asked: URLParts) throws(OAuthFailure) {
    try Self.checkIssuer(of: metadata, asked)
    let issuer = try metadata.text("issuer") ?? ""
    var members = [JSON.Member("issuer", .string(issuer))]
    for (name, member) in Self.endpoints {
      guard let url = try metadata.endpoint(name, isPage: name == "authorization_endpoint") else { continue }
      members.append(.init(member, .string(url)))
    }
    guard members.contains(where: { $0.name == "tokenEndpoint" }) else { throw metadata.fault("has no token_endpoint") }
    if metadata.isTrue("dpop_bound_access_tokens_required") { throw .unsupported("\(asked.host) \(Self.demandsDPoP)") }
    if metadata.isTrue("require_pushed_authorization_requests") {
      members.append(.init("pushedAuthorizationRequests", .string(AuthorizationManner.Switch.on.rawValue)))
    }
    if let way = try Self.clientAuthentication(metadata, asked) { members.append(.init("clientAuthentication", .string(way.rawValue))) }
    if members.contains(where: { $0.name == "registrationEndpoint" }), let way = try Self.registeredAuthentication(metadata) {
      members.append(.init("registrationParameters", .object([.init("token_endpoint_auth_method", .string(way))])))
    }
    // The list of challenge methods is checked and changes nothing: a server that doesn't know S256 ignores the challenge (RFC 6749, 3.1), and metadata
    // must not switch off what protects the code.
    _ = try metadata.texts("code_challenge_methods_supported")
    if metadata.isTrue("authorization_response_iss_parameter_supported") {
      members.append(.init("redirectIssuer", .string(AuthorizationManner.RedirectIssuer.required.rawValue)))
    }
    description = members
  }

  private static let endpoints = [
    ("authorization_endpoint", "authorizationEndpoint"), ("token_endpoint", "tokenEndpoint"), ("revocation_endpoint", "revocationEndpoint"),
    ("introspection_endpoint", "introspectionEndpoint"), ("userinfo_endpoint", "userInfoEndpoint"),
    ("device_authorization_endpoint", "deviceAuthorizationEndpoint"), ("registration_endpoint", "registrationEndpoint"),
    ("pushed_authorization_request_endpoint", "pushedAuthorizationRequestEndpoint"), ("end_session_endpoint", "endSessionEndpoint"),
    ("jwks_uri", "jwksUri"),
  ]

  /// Byte for byte, but for a slash at the end, which people leave out or add; the metadata's own spelling is what counts from then on. Where every
  /// tenant is an issuer of its own, the URL names one of them.
  private static func isSame(_ issuer: String, _ asked: URLParts) -> Bool {
    func trimmed(_ text: String) -> Substring { text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...] }
    return trimmed(issuer) == trimmed(asked.description) || IssuerTemplate(issuer).mayName(String(trimmed(asked.description)))
  }

  /// What a client that registers itself asks for: no secret where that is possible, for a program on somebody's machine cannot keep one (RFC 8252, 8.4).
  private static func registeredAuthentication(_ metadata: MetadataDocument) throws(OAuthFailure) -> String? {
    guard let methods = try metadata.texts(Self.methods), !methods.contains("none") else { return nil }
    return secretMethods.first(where: methods.contains)
  }

  /// Basic if the metadata has no list (RFC 8414, 2). Where the body is listed beside it, the body is tried after Basic: some servers list what they reject.
  private static func clientAuthentication(
    _ metadata: MetadataDocument, _ asked: URLParts
  ) throws(OAuthFailure) -> TokenManner.ClientAuthentication? {
    guard let methods = try metadata.texts(Self.methods), !methods.isEmpty else { return nil }
    switch (methods.contains("client_secret_basic"), methods.contains("client_secret_post")) {
    case (true, true): return .probe
    case (true, false): return .basic
    case (false, true): return .body
    case (false, false):
      if methods == ["none"] { return TokenManner.ClientAuthentication.none }
      guard !methods.contains("none") else { return nil }
      let listed = ErrorText.clean(String(methods.joined(separator: ", ").prefix(200)))
      throw .unsupported(
        "\(asked.host) accepts only clients that authenticate by \(listed); supported are a secret by Basic, a secret in the body, or no secret"
      )
    }
  }

  private static let methods = "token_endpoint_auth_methods_supported"
  /// The preferred one first.
  private static let secretMethods = ["client_secret_basic", "client_secret_post"]
}
