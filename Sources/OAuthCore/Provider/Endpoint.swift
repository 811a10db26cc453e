/// An endpoint of a provider's description, or the base of its API: everything that depends on which one it is.
struct Endpoint: Sendable {
  let member: String
  let place: WritableKeyPath<Provider, String?> & Sendable
  /// The name in a server's metadata (RFC 8414, 2; OpenID Connect Discovery 1.0, 3); nil if it has none.
  let metadata: String?
  /// Whether it may have an alias for clients with a certificate (RFC 8705, 5).
  let hasAlias: Bool
  /// Whether it receives a client secret or a refresh token.
  let getsSecrets: Bool
  /// Whether its host receives access tokens if the description names no hosts for them.
  let isAtAPI: Bool

  private init(
    _ member: String, _ place: WritableKeyPath<Provider, String?> & Sendable, _ metadata: String? = nil, hasAlias: Bool = false,
    getsSecrets: Bool = false, isAtAPI: Bool = false
  ) {
    (self.member, self.place, self.metadata) = (member, place, metadata)
    (self.hasAlias, self.getsSecrets, self.isAtAPI) = (hasAlias, getsSecrets, isAtAPI)
  }

  static let all = [
    Endpoint("authorizationEndpoint", \.authorizationEndpoint, "authorization_endpoint", isAtAPI: true),
    Endpoint("tokenEndpoint", \.tokenEndpoint, "token_endpoint", hasAlias: true, getsSecrets: true, isAtAPI: true),
    Endpoint("refreshEndpoint", \.token.refreshEndpoint, getsSecrets: true),
    Endpoint("longLivedEndpoint", \.longLived.longLivedEndpoint, getsSecrets: true),
    Endpoint(
      "revocationEndpoint", \.revocation.revocationEndpoint, "revocation_endpoint", hasAlias: true, getsSecrets: true, isAtAPI: true),
    Endpoint("introspectionEndpoint", \.introspectionEndpoint, "introspection_endpoint", hasAlias: true, getsSecrets: true, isAtAPI: true),
    Endpoint("userInfoEndpoint", \.userInfoEndpoint, "userinfo_endpoint", hasAlias: true, isAtAPI: true),
    Endpoint(
      "deviceAuthorizationEndpoint", \.deviceAuthorizationEndpoint, "device_authorization_endpoint", hasAlias: true, getsSecrets: true),
    Endpoint("registrationEndpoint", \.registrationEndpoint, "registration_endpoint"),
    Endpoint(
      "pushedAuthorizationRequestEndpoint", \.pushedAuthorizationRequestEndpoint, "pushed_authorization_request_endpoint", hasAlias: true,
      getsSecrets: true),
    Endpoint("endSessionEndpoint", \.logout.endSessionEndpoint, "end_session_endpoint"),
    Endpoint("apiBase", \.api.apiBase),
    Endpoint("jwksUri", \.jwksUri, "jwks_uri"),
    Endpoint("requestTokenEndpoint", \.oauth1.requestTokenEndpoint, getsSecrets: true, isAtAPI: true),
    Endpoint("accessTokenEndpoint", \.oauth1.accessTokenEndpoint, getsSecrets: true, isAtAPI: true),
    Endpoint("openidEndpoint", \.openid.openidEndpoint),
  ]
}
