import Jansson

/// A sign-in by OAuth 1.0a's three steps (RFC 5849, 2): temporary credentials, somebody's approval, token credentials.
struct OAuth1SignIn: SignInProtocol {
  let url: String
  private let setup: AuthorizeSetup
  private let temporary: OAuth1Token
  private let redirectUri: String
  private let endpoints: OAuth1Endpoints
  private let surroundings: Surroundings

  /// Asks for temporary credentials, which the page belongs to.
  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> OAuth1SignIn {
    guard let page = try setup.provider.filled(with: .init(), client: setup.client).authorizationEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no authorization endpoint",
        details: [.init("path", "/provider/authorizationEndpoint")])
    }
    for name in ["oauth_token", "oauth_callback"] where setup.request.parameters[name] != nil {
      throw FieldError("/parameters/\(name)", "is a parameter that the protocol sets itself")
    }
    let endpoints = try OAuth1Endpoints(
      account: setup.account, client: setup.client, provider: setup.provider, surroundings: surroundings)
    // An empty secret is one; none at all is a slip, and the server's answer to what it signs would not tell.
    if setup.client.secret == nil, !endpoints.signer.client.signatureMethod.usesPrivateKey {
      throw FieldError("/clientSecret", "is missing, and \(endpoints.signer.client.signatureMethod.rawValue) signs with it")
    }
    let credentials = try await endpoints.temporaryCredentials(
      callback: redirectUri == RedirectChoice.outOfBand ? nil : redirectUri,
      parameters: setup.parameters(setup.provider.oauth1.requestTokenParameters, naming: [.requestToken, .both]))
    let parameters = setup.parameters(
      setup.request.parameters.over(setup.provider.request.authorizationParameters), naming: [.authorization, .both])
    return OAuth1SignIn(
      url: try credentials.authorizationURL(page, parameters: parameters), setup: setup, temporary: credentials.token,
      redirectUri: redirectUri, endpoints: endpoints, surroundings: surroundings)
  }

  private init(
    url: String, setup: AuthorizeSetup, temporary: OAuth1Token, redirectUri: String, endpoints: OAuth1Endpoints,
    surroundings: Surroundings
  ) {
    self.url = url
    self.setup = setup
    self.temporary = temporary
    self.redirectUri = redirectUri
    self.endpoints = endpoints
    self.surroundings = surroundings
  }

  /// The token alone decides: there is no `state`, and a callback for another token is somebody else's approval.
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    OAuth1Callback(parameters, token: temporary.token) != .notOurs
  }

  func isAnswer(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { ["oauth_verifier", "oauth_problem", "denied"].contains($0.name) && !$0.value.isEmpty }
  }

  /// A verifier that the page shows (`oob`).
  func redirect(typed text: Secret) -> [RedirectParameter]? {
    guard let verifier = OAuth1Callback.typed(text) else { return nil }
    return [
      RedirectParameter(name: "oauth_token", value: temporary.token.value),
      RedirectParameter(name: "oauth_verifier", value: verifier.value),
    ]
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    switch OAuth1Callback(parameters, token: temporary.token) {
    case .failure(let failure): throw failure
    case .notOurs: throw OAuthFailure.untrusted("the redirect is for another token")
    case .verifier(let verifier):
      let credentials = try await endpoints.tokenCredentials(temporary: temporary, verifier: verifier)
      var grant = setup.grant(accessToken: credentials.token.token, tokenType: Grant.signedTokenType, at: surroundings.clock())
      grant.attributes = NamedValues(
        setup.provider.request.callbackMembers.compactMap { name in
          parameters.first { $0.name == name }.flatMap { JSON.string($0.value).attributeText }.map { (name, $0) }
        })
      grant.take(credentials, at: surroundings.instant)
      // A base that leads where nothing may go is refused before anything is kept.
      _ = try setup.provider.filled(with: grant.attributes, client: setup.client, isComplete: true)
      // No answer names what was granted.
      grant.grantedScopes = setup.scopes
      grant.redirectUri = redirectUri
      return grant
    }
  }
}

extension AuthorizeSetup {
  /// A step's parameters, with the scopes where the provider wants them in one of `steps`; what has no value is left out, as GTMOAuth does.
  fileprivate func parameters(_ members: NamedValues<String>, naming steps: [OAuth1Manner.ScopeStep]) -> [OAuth1Parameter] {
    var parameters = members.pairs.map { OAuth1Parameter($0.name, $0.value) }
    if let name = provider.request.scopeParameter, steps.contains(provider.oauth1.scopeStep), members[name] == nil {
      parameters.append(OAuth1Parameter(name, scopes.joined(separator: provider.request.scopeSeparator)))
    }
    return parameters.filter { !$0.value.isEmpty }
  }
}

extension NamedValues<String> {
  /// These, and those of `others` that have other names.
  fileprivate func over(_ others: NamedValues) -> NamedValues {
    NamedValues(pairs + others.pairs.filter { self[$0.name] == nil })
  }
}
