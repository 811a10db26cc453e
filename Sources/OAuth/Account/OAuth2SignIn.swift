import Jansson

/// A sign-in by OAuth 2.0's authorization code (RFC 6749, 4.1) with PKCE (RFC 7636).
struct OAuth2SignIn: SignInProtocol {
  private(set) var url: String
  private(set) var pageLifetime: Int?
  /// Whether the endpoint for pushed requests rejected Basic, where that had to be tried out.
  private var hasRefusedBasic = false
  private let request: AuthorizationRequest
  private let setup: AuthorizeSetup
  private let state: Secret
  private let redirectUri: String
  private let pkce: PKCE?
  /// What the ID token has to repeat; nil where none is sent.
  private let nonce: Secret?
  private let surroundings: Surroundings

  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> OAuth2SignIn {
    var signIn = try OAuth2SignIn(setup, redirectUri, surroundings)
    if setup.provider.request.pushedAuthorizationRequests == .on { try await signIn.push() }
    return signIn
  }

  /// The same request pushed once more: a redirect from the earlier page still answers it.
  func withFreshPage() async throws -> (any SignInProtocol)? {
    guard pageLifetime != nil else { return nil }
    var signIn = self
    try await signIn.push()
    return signIn
  }

  /// Tells the provider all of the request; the page then names nothing but what the provider knows it by.
  private mutating func push() async throws {
    let provider = try setup.provider.filled(with: .init(), client: setup.client)
    let answer: PushedAuthorizationRequest.Answer
    do {
      answer = try await push(provider)
    } catch let failure as OAuthFailure where isProbing && !hasRefusedBasic && failure["error"] == "invalid_client" {
      hasRefusedBasic = true
      answer = try await push(provider)
    }
    url = request.url(requestUri: answer.requestUri) ?? url
    pageLifetime = answer.lifetime
  }

  private func push(_ provider: Provider) async throws -> PushedAuthorizationRequest.Answer {
    var provider = provider
    if hasRefusedBasic { provider.token.clientAuthentication = .body }
    guard let pushed = PushedAuthorizationRequest(request: request).httpRequest(provider, setup.client) else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no endpoint for pushed authorization requests",
        details: [.init("path", "/provider/pushedAuthorizationRequestEndpoint")])
    }
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await surroundings.http.send(pushed, to: provider)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
    return try PushedAuthorizationRequest.answer(response, provider, setup.client)
  }

  private var isProbing: Bool { setup.provider.token.clientAuthentication == .probe && setup.client.secret != nil }

  private init(_ setup: AuthorizeSetup, _ redirectUri: String, _ surroundings: Surroundings) throws(OAuthFailure) {
    guard let endpoint = try setup.provider.filled(with: .init(), client: setup.client).authorizationEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no authorization endpoint",
        details: [.init("path", "/provider/authorizationEndpoint")])
    }
    // Said before anybody signs in for a code that nothing could be done with.
    guard setup.provider.tokenEndpoint != nil else { throw TokenEndpoint.missing }
    try setup.provider.token.checkSecret(of: setup.client)
    self.setup = setup
    self.redirectUri = redirectUri
    self.surroundings = surroundings
    state = Secret(Base64.encodeURL(surroundings.random(16)))
    pkce = setup.provider.request.pkce != .off ? PKCE(random: surroundings.random(32)) : nil
    // Some servers refuse `openid` without a nonce, though only the implicit flow requires one (OpenID Connect Core, 3.1.2.1). A caller whose own
    // server looks at the ID token brings its own.
    let isSent = setup.scopes.contains("openid") && setup.provider.request.nonce == .on
    nonce = (setup.request.parameters["nonce"] ?? (isSent ? Base64.encodeURL(surroundings.random(16)) : nil)).map(Secret.init)
    request = AuthorizationRequest(
      endpoint: endpoint, clientId: setup.client.id, redirectUri: redirectUri, scopes: setup.scopes, state: state,
      nonce: nonce?.value, pkce: pkce,
      parameters: setup.request.parameters.pairs
        + setup.provider.request.authorizationParameters.pairs.filter { preset in
          !setup.request.parameters.pairs.contains { $0.name == preset.name } && (preset.name != "resource" || setup.resource != nil)
        }, manner: setup.provider.request)
    guard let url = request.url else {
      throw OAuthFailure(
        .configurationInvalid, "the authorization endpoint is no url", details: [.init("path", "/provider/authorizationEndpoint")])
    }
    self.url = url
  }

  /// `state` alone decides (RFC 6749, 10.12); with two of them nobody knows which (3.1).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    let states = parameters.filter { $0.name == setup.provider.request.stateParameter }
    return states.count == 1 && state == Secret(states[0].value)
  }

  func isAnswer(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { [setup.provider.request.codeParameter, "error"].contains($0.name) && !$0.value.isEmpty }
  }

  /// A code that the page shows (`urn:ietf:wg:oauth:2.0:oob` and providers that have their own such page).
  func redirect(typed text: Secret) -> [RedirectParameter]? {
    [
      RedirectParameter(name: setup.provider.request.stateParameter, value: state.value),
      RedirectParameter(name: setup.provider.request.codeParameter, value: text.value),
    ]
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    let manner = setup.provider.request
    let answer = AuthorizationResponse(
      parameters, issuer: setup.provider.issuer, page: request.endpoint, isIssuerRequired: manner.redirectIssuer == .required,
      codeParameter: manner.codeParameter, stateParameter: manner.stateParameter)
    switch answer {
    case .failure(let failure): throw failure
    case .code(let code):
      let kept = NamedValues(
        manner.callbackMembers.compactMap { name in
          parameters.first { $0.name == name }.flatMap { JSON.string($0.value).attributeText }.map { (name, $0) }
        })
      let provider = try setup.provider.filled(with: kept, client: setup.client)
      if let name = provider.tokenEndpoint.flatMap({ Template($0).names.first }) {
        throw OAuthFailure.untrusted("the redirect has no \(name), which the token endpoint needs")
      }
      let validation = IDTokenValidation(provider: provider, client: setup.client, keys: surroundings.keys)
      if setup.scopes.contains("openid") { try await validation.prepare() }
      var endpoint = TokenEndpoint(provider, setup.client, surroundings, TokenPace(surroundings, patience: TokenPace.patienceWithCode))
      endpoint.hasRefusedBasic = hasRefusedBasic
      let resource = setup.resource
      let tokens = try await endpoint.ask(.code(code, redirectUri: redirectUri, verifier: pkce?.verifier, resource: resource))
      let grant = try setup.grant(tokens, kept: kept, redirectUri: redirectUri, at: surroundings.instant)
      return try await setup.identified(grant, by: tokens.idToken, validation, nonce: nonce)
    }
  }

  /// Once more, with the provider's `consentRetry`, where a refresh token was wanted and none came. Not where the caller has set one of the parameters
  /// that the description asks with, for then it wants something else, or where the page was just asked for in this very way.
  func again(lacking grant: Grant) async throws -> (any SignInProtocol)? {
    let retry = setup.provider.request.consentRetry
    guard grant.refreshToken == nil, !retry.pairs.isEmpty, !setup.isSecondRound else { return nil }
    let asked = setup.request.parameters
    let isOverridden = setup.provider.request.authorizationParameters.pairs.contains { pair in
      asked[pair.name].map { $0 != pair.value } ?? false
    }
    guard !isOverridden, retry.pairs.contains(where: { asked[$0.name] != $0.value }) else { return nil }
    var second = setup
    second.isSecondRound = true
    second.expectedSubject = grant.subject ?? setup.expectedSubject
    second.request.parameters.pairs.removeAll { pair in retry[pair.name] != nil }
    second.request.parameters.pairs += retry.pairs
    return try await Self.begin(second, redirectUri: redirectUri, surroundings: surroundings)
  }
}
