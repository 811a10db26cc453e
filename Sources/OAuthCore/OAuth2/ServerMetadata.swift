import Jansson

/// An authorization server's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3) as the description of a provider.
package struct ServerMetadata: Sendable {
  package let description: [JSON.Member]

  /// The end of the error message for a server that requires DPoP (RFC 9449).
  package static let demandsDPoP = "requires DPoP, which is not supported"

  /// Rejects metadata of an issuer other than `asked`: otherwise any host could impersonate another (RFC 8414, 3.3).
  package static func checkIssuer(of metadata: MetadataDocument, _ asked: URLParts) throws(OAuthFailure) {
    guard let issuer = try metadata.text("issuer") else { throw metadata.fault("has no issuer") }
    guard isSame(issuer, asked) else { throw metadata.fault("names another issuer, \(ErrorText.clean(String(issuer.prefix(200))))") }
  }

  /// `asked` is the issuer that the metadata must be about.
  ///
  /// Throws `responseUntrusted` for metadata that cannot be trusted, and `unsupportedByProvider` for demands that no sign-in can meet.
  package init(_ metadata: MetadataDocument, of asked: URLParts) throws(OAuthFailure) {
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
      members.append(.init("pushedAuthorizationRequests", .string(AuthorizationOptions.Switch.on.rawValue)))
    }
    if let way = try Self.clientAuthentication(metadata, asked) { members.append(.init("clientAuthentication", .string(way.rawValue))) }
    if members.contains(where: { $0.name == "registrationEndpoint" }), let way = try Self.registeredAuthentication(metadata) {
      members.append(.init("registrationParameters", .object([.init("token_endpoint_auth_method", .string(way))])))
    }
    // The list of challenge methods is only checked. PKCE stays on: a server without S256 ignores the challenge (RFC 6749, 3.1), and metadata
    // must not switch off what protects the code.
    _ = try metadata.texts("code_challenge_methods_supported")
    if metadata.isTrue("authorization_response_iss_parameter_supported") {
      members.append(.init("redirectIssuer", .string(AuthorizationOptions.RedirectIssuer.required.rawValue)))
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

  /// Compares the issuers byte for byte, except for a trailing slash, which users add or omit. The metadata's spelling is used from then on.
  ///
  /// If every tenant is an issuer, `asked` must be one of them.
  private static func isSame(_ issuer: String, _ asked: URLParts) -> Bool {
    func trimmed(_ text: String) -> Substring { text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...] }
    return trimmed(issuer) == trimmed(asked.description) || IssuerTemplate(issuer).mayName(String(trimmed(asked.description)))
  }

  /// Returns the authentication method for registration; nil means `none`. `none` is preferred, since a program on a user's machine cannot keep a
  /// secret (RFC 8252, 8.4).
  private static func registeredAuthentication(_ metadata: MetadataDocument) throws(OAuthFailure) -> String? {
    guard let methods = try metadata.texts(Self.methods), !methods.contains("none") else { return nil }
    return secretMethods.first(where: methods.contains)
  }

  /// Returns nil if the metadata has no list, which means Basic (RFC 8414, 2).
  ///
  /// If Basic and the body are listed, Basic is tried first and then the body, since some servers reject a method that they list.
  private static func clientAuthentication(
    _ metadata: MetadataDocument, _ asked: URLParts
  ) throws(OAuthFailure) -> TokenOptions.ClientAuthentication? {
    guard let methods = try metadata.texts(Self.methods), !methods.isEmpty else { return nil }
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
  /// In order of preference.
  private static let secretMethods = ["client_secret_basic", "client_secret_post"]
}
