import Jansson

/// A sign-in by OpenID 2.0: who somebody is, and with a hybrid also a grant (Spark's code, or the OAuth extension's request token).
struct OpenIDSignIn: SignInProtocol {
  let url: String
  private let setup: AuthorizeSetup
  private let state: Secret
  private let returnTo: String
  private let expectation: OpenIDAssertion.Expectation
  private let provider: OpenIDProvider
  private let endpoint: OpenIDProvider.Endpoint
  private let surroundings: Surroundings

  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> OpenIDSignIn {
    let provider = OpenIDProvider(surroundings: surroundings)
    let (service, limit) = try await service(setup.provider, provider)
    let endpoint = OpenIDProvider.Endpoint(url: service.endpoint, limit: limit)
    return try OpenIDSignIn(setup, service, endpoint, redirectUri, provider, surroundings)
  }

  /// The service, and how far inside requests to it may lead.
  private static func service(
    _ described: Provider, _ provider: OpenIDProvider
  ) async throws(OAuthFailure) -> (OpenIDService, limit: NetworkScope) {
    let manner = described.openid
    if let endpoint = manner.openidEndpoint { return (OpenIDService(kind: .server, endpoint: endpoint), .thisMachine) }
    guard let identifier = manner.openidIdentifier else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has neither an openid endpoint nor an identifier",
        details: [.init("path", "/provider/openidEndpoint")])
    }
    let (services, scope) = try await provider.discover(try OpenIDIdentifier(identifier))
    guard let service = services.first else { throw .unsupported("there is no openid behind the identifier") }
    let isNamed = (try? URLParts(service.endpoint)).map(described.names) ?? false
    return (service, isNamed ? .thisMachine : scope)
  }

  private init(
    _ setup: AuthorizeSetup, _ service: OpenIDService, _ endpoint: OpenIDProvider.Endpoint, _ redirectUri: String,
    _ provider: OpenIDProvider, _ surroundings: Surroundings
  ) throws(OAuthFailure) {
    let manner = setup.provider.openid
    let state = Base64.encodeURL(surroundings.random(16))
    guard let address = try? URLParts(redirectUri) else {
      throw OAuthFailure(.configurationInvalid, "the redirect uri is no absolute uri", details: [.init("path", "/redirectUri")])
    }
    // A provider that echoes a state of its own compares return_to with what is registered, so nothing may be added to it.
    returnTo = manner.openidStateParameter == nil ? address.appendingQuery([("state", state)]).description : redirectUri
    var request = OpenIDAuthenticationRequest(service: service, returnTo: returnTo)
    request.dialect = manner.openidDialect
    request.realm = manner.openidRealm ?? redirectUri
    guard request.dialect == .bare || OpenIDAuthenticationRequest.isRealm(manner.openidRealm ?? redirectUri, of: returnTo) else {
      throw OAuthFailure(
        .configurationInvalid, "the redirect uri does not lie in the realm", details: [.init("path", "/provider/openidRealm")])
    }
    if let name = manner.openidClientParameter { request.client = [(name, setup.client.id)] }
    request.registration = manner.openidRegistration
    request.attributes = manner.openidAttributes
    if setup.provider.oauth1.accessTokenEndpoint != nil {
      request.oauth = (setup.client.id, setup.scopes.joined(separator: setup.provider.request.scopeSeparator))
    }
    if let name = manner.openidStateParameter { request.parameters.append((name, state)) }
    request.parameters =
      manner.openidParameters.pairs.filter { preset in !setup.request.parameters.pairs.contains { $0.name == preset.name } }
      + request.parameters.filter { $0.name == manner.openidStateParameter } + setup.request.parameters.pairs
    guard let url = request.url else {
      throw OAuthFailure(.configurationInvalid, "the openid endpoint is no url", details: [.init("path", "/provider/openidEndpoint")])
    }
    self.url = url
    self.setup = setup
    self.state = Secret(state)
    self.provider = provider
    self.endpoint = endpoint
    self.surroundings = surroundings
    expectation = OpenIDAssertion.Expectation(
      service: service, returnTo: returnTo, dialect: manner.openidDialect, claimedIds: manner.openidClaimedIds)
  }

  /// Our own state alone decides, by whichever way it went there and back: without it anybody's answer would do (cross-site request forgery).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    let named = parameters.filter { $0.name == setup.provider.openid.openidStateParameter ?? "state" }
    return named.count == 1 && named.allSatisfy { Secret($0.value) == state }
  }

  /// The page's own URL has a mode as well, one that asks (9.1).
  func isAnswer(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { $0.name == "openid.mode" && !$0.value.isEmpty && !$0.value.hasPrefix("checkid_") }
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    let message = try OpenIDMessage(parameters)
    switch OpenIDResponse(message) {
    case .failure(let failure): throw failure
    case .assertion(let message):
      let manner = setup.provider.openid
      guard let name = manner.openidCodeParameter else { return try await grant(identity: try await identity(message, parameters)) }
      guard let code = parameters.first(where: { $0.name == name })?.value, !code.isEmpty else {
        throw OAuthFailure.untrusted("the redirect has neither a code nor an error")
      }
      // Who signed in counts only where it is proven; the code proves itself at the token endpoint.
      let identity = message["sig"] == nil ? OpenIDIdentity() : try await identity(message, parameters)
      return try await grant(code: Secret(code), identity: identity)
    }
  }

  private func identity(_ message: OpenIDMessage, _ parameters: [RedirectParameter]) async throws(OAuthFailure) -> OpenIDIdentity {
    if message["sig"] == nil, setup.provider.openid.openidSignature == .optional {
      // Without a signature nothing proves a claimed identifier, so the account has none.
      return OpenIDIdentity(message, subject: nil, setup.provider.openid)
    }
    let assertion = try OpenIDAssertion(message, parameters: parameters, expecting: expectation, now: surroundings.clock())
    let scope = try await provider.check(assertion, of: endpoint)
    let subject: String?
    switch try assertion.claim() {
    case .none: subject = nil
    case .confirmed(let known): subject = known
    case .lookUp(let identifier):
      guard NetworkScope(identifier.url) <= scope else {
        throw .untrusted("the provider names an identifier \(NetworkScope(identifier.url).place), where it is not itself")
      }
      let limit = setup.provider.names(identifier.url) ? .thisMachine : scope
      subject = try assertion.subject(confirmedBy: try await provider.discover(identifier, within: limit).services)
    }
    return OpenIDIdentity(assertion.signed, subject: subject, setup.provider.openid)
  }

  private func grant(code: Secret, identity: OpenIDIdentity) async throws -> Grant {
    let endpoint = TokenEndpoint(setup.provider, setup.client, surroundings, TokenPace(surroundings, patience: TokenPace.patienceWithCode))
    let tokens = try await endpoint.ask(.code(code, redirectUri: returnTo, verifier: nil))
    let now = surroundings.instant
    var grant = setup.grant(accessToken: tokens.accessToken, tokenType: tokens.tokenType, at: now.seconds)
    grant.take(tokens, at: now)
    grant.grantedScopes = tokens.scopes ?? setup.scopes
    grant.declinedScopes = grant.missing(of: setup.scopes)
    grant.redirectUri = returnTo
    grant.isShortLived = setup.provider.longLived.longLivedGrantType != nil
    identity.add(to: &grant)
    try setup.checkUser(grant.subject)
    return grant
  }

  /// An identity, and what the approved request token buys where one was asked for.
  private func grant(identity: OpenIDIdentity) async throws -> Grant {
    let now = surroundings.instant
    var grant = setup.grant(accessToken: nil, tokenType: nil, at: now.seconds)
    if let token = identity.requestToken {
      let credentials = try await ApprovedRequestToken(token: token, setup: setup, surroundings: surroundings).exchange()
      grant.take(credentials, at: now)
      grant.grantedScopes = identity.scopes ?? setup.scopes
    } else {
      // Nothing was granted to call; asking for it again would only open the same page again.
      grant.declinedScopes = setup.scopes
    }
    identity.add(to: &grant)
    try setup.checkUser(grant.subject)
    return grant
  }
}
