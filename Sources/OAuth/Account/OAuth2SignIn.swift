/// A sign-in by OAuth 2.0's authorization code (RFC 6749, 4.1) with PKCE (RFC 7636).
struct OAuth2SignIn: SignInProtocol {
  let url: String
  private let setup: AuthorizeSetup
  private let state: Secret
  private let redirectUri: String
  private let pkce: PKCE?
  private let surroundings: Surroundings

  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) throws -> OAuth2SignIn {
    try OAuth2SignIn(setup, redirectUri, surroundings)
  }

  private init(_ setup: AuthorizeSetup, _ redirectUri: String, _ surroundings: Surroundings) throws(OAuthFailure) {
    guard let endpoint = setup.provider.authorizationEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no authorization endpoint",
        details: [.init("path", "/provider/authorizationEndpoint")])
    }
    self.setup = setup
    self.redirectUri = redirectUri
    self.surroundings = surroundings
    state = Secret(Base64.encodeURL(surroundings.random(16)))
    pkce = setup.provider.request.pkce != .off ? PKCE(random: surroundings.random(32)) : nil
    let request = AuthorizationRequest(
      endpoint: endpoint, clientId: setup.client.id, redirectUri: redirectUri, scopes: setup.scopes,
      scopeSeparator: setup.provider.request.scopeSeparator, state: state,
      // Some servers refuse `openid` without a nonce, though only the implicit flow requires one (OpenID Connect Core, 3.1.2.1).
      nonce: setup.scopes.contains("openid") ? Base64.encodeURL(surroundings.random(16)) : nil, pkce: pkce,
      parameters: setup.request.parameters.pairs
        + setup.provider.request.authorizationParameters.pairs.filter { preset in
          !setup.request.parameters.pairs.contains { $0.name == preset.name }
        })
    guard let url = request.url else {
      throw OAuthFailure(
        .configurationInvalid, "the authorization endpoint is no url", details: [.init("path", "/provider/authorizationEndpoint")])
    }
    self.url = url
  }

  /// `state` alone decides (RFC 6749, 10.12).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    parameters.first { $0.name == "state" }.map { state == Secret($0.value) } ?? false
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    switch AuthorizationResponse(parameters, issuer: setup.provider.issuer) {
    case .failure(let failure): throw failure
    case .code(let code):
      let endpoint = TokenEndpoint(provider: setup.provider, client: setup.client, http: surroundings.http)
      return grant(try await endpoint.ask(.code(code, redirectUri: redirectUri, verifier: pkce?.verifier)))
    }
  }

  private func grant(_ tokens: TokenResponse) -> Grant {
    let now = surroundings.clock()
    var grant = setup.grant(accessToken: tokens.accessToken, tokenType: tokens.tokenType, at: now)
    grant.refreshToken = tokens.refreshToken
    grant.idToken = tokens.idToken
    grant.expiresAt = tokens.expiresIn.map { now + $0 }
    grant.refreshTokenExpiresAt = tokens.refreshTokenExpiresIn.map { now + $0 }
    grant.grantedScopes = tokens.scopes ?? setup.scopes
    grant.declinedScopes = grant.missing(of: setup.scopes)
    grant.redirectUri = redirectUri
    return grant
  }
}
