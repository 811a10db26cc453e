import OAuthCore

/// A sign-in by OpenID 2.0: the user's identity, and with a hybrid also a grant (Spark's code, or the OAuth extension's request token).
struct OpenID2Flow: SignInFlow {
  package let url: String
  private let plan: AuthorizationPlan
  private let state: Secret
  private let returnTo: String
  private let expectation: OpenIDAssertion.Expectation
  private let provider: OpenIDProvider
  private let endpoint: OpenIDProvider.Endpoint
  private let dependencies: Dependencies

  static func begin(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> OpenID2Flow {
    let provider = OpenIDProvider(dependencies: dependencies)
    let (service, limit) = try await service(plan.provider, provider)
    let endpoint = OpenIDProvider.Endpoint(url: service.endpoint, limit: limit)
    return try OpenID2Flow(plan, service, endpoint, redirectUri, provider, dependencies)
  }

  /// Returns the service, and how far inside requests to it may lead.
  private static func service(
    _ described: Provider, _ provider: OpenIDProvider
  ) async throws -> (OpenIDService, limit: NetworkScope) {
    let options = described.openid
    if let endpoint = options.openidEndpoint { return (OpenIDService(kind: .server, endpoint: endpoint), .thisMachine) }
    guard let identifier = options.openidIdentifier else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has neither an openid endpoint nor an identifier",
        details: [.init("path", "/provider/openidEndpoint")])
    }
    let (services, scope) = try await provider.discover(try OpenIDIdentifier(identifier))
    guard let service = services.first else { throw OAuthFailure.unsupported("there is no openid behind the identifier") }
    let isNamed = (try? URLParts(service.endpoint)).map(described.names) ?? false
    return (service, isNamed ? .thisMachine : scope)
  }

  private init(
    _ plan: AuthorizationPlan, _ service: OpenIDService, _ endpoint: OpenIDProvider.Endpoint, _ redirectUri: String,
    _ provider: OpenIDProvider, _ dependencies: Dependencies
  ) throws(OAuthFailure) {
    let options = plan.provider.openid
    let state = Base64.encodeURL(dependencies.random(16))
    guard let address = try? URLParts(redirectUri) else {
      throw OAuthFailure(.configurationInvalid, "the redirect uri is no absolute uri", details: [.init("path", "/redirectUri")])
    }
    // A provider that echoes its own state parameter compares return_to with the registered value. Nothing may be added to it.
    returnTo = options.openidStateParameter == nil ? address.appendingQuery([("state", state)]).description : redirectUri
    var request = OpenIDAuthenticationRequest(service: service, returnTo: returnTo)
    request.dialect = options.openidDialect
    request.realm = options.openidRealm ?? redirectUri
    guard request.dialect == .bare || OpenIDAuthenticationRequest.isRealm(options.openidRealm ?? redirectUri, of: returnTo) else {
      throw OAuthFailure(
        .configurationInvalid, "the redirect uri does not lie in the realm", details: [.init("path", "/provider/openidRealm")])
    }
    if let name = options.openidClientParameter { request.client = [(name, plan.client.id)] }
    request.registration = options.openidRegistration
    request.attributes = options.openidAttributes
    if plan.provider.oauth1.accessTokenEndpoint != nil {
      request.oauth = (plan.client.id, plan.scopes.joined(separator: plan.provider.request.scopeSeparator))
    }
    if let name = options.openidStateParameter { request.parameters.append((name, state)) }
    request.parameters =
      options.openidParameters.pairs.filter { preset in !plan.request.parameters.pairs.contains { $0.name == preset.name } }
      + request.parameters.filter { $0.name == options.openidStateParameter } + plan.request.parameters.pairs
    guard let url = request.url else {
      throw OAuthFailure(.configurationInvalid, "the openid endpoint is no url", details: [.init("path", "/provider/openidEndpoint")])
    }
    self.url = url
    self.plan = plan
    self.state = Secret(state)
    self.provider = provider
    self.endpoint = endpoint
    self.dependencies = dependencies
    expectation = OpenIDAssertion.Expectation(
      service: service, returnTo: returnTo, dialect: options.openidDialect, claimedIds: options.openidClaimedIds)
  }

  /// Only this process's state decides, whichever way it was sent. Without it any sender's response would be accepted (cross-site request forgery).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    let named = parameters.filter { $0.name == plan.provider.openid.openidStateParameter ?? "state" }
    return named.count == 1 && named.allSatisfy { Secret($0.value) == state }
  }

  /// The page's own URL also has an `openid.mode`, but with the value of a request (9.1).
  func isAnswer(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { $0.name == "openid.mode" && !$0.value.isEmpty && !$0.value.hasPrefix("checkid_") }
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    let message = try OpenIDMessage(parameters)
    switch OpenIDResponse(message) {
    case .failure(let failure): throw failure
    case .assertion(let message):
      let options = plan.provider.openid
      guard let name = options.openidCodeParameter else { return try await grant(identity: try await identity(message, parameters)) }
      guard let code = parameters.first(where: { $0.name == name })?.value, !code.isEmpty else {
        throw OAuthFailure.untrusted("the redirect has neither a code nor an error")
      }
      // The identity counts only if a signature proves it. The code is proven at the token endpoint.
      let identity = message["sig"] == nil ? OpenIDIdentity() : try await identity(message, parameters)
      return try await grant(code: Secret(code), identity: identity)
    }
  }

  private func identity(_ message: OpenIDMessage, _ parameters: [RedirectParameter]) async throws -> OpenIDIdentity {
    if message["sig"] == nil, plan.provider.openid.openidSignature == .optional {
      // Without a signature nothing proves a claimed identifier. The account then has no subject.
      return OpenIDIdentity(message, subject: nil, plan.provider.openid)
    }
    let assertion = try OpenIDAssertion(message, parameters: parameters, expecting: expectation, now: dependencies.clock.now)
    let scope = try await provider.check(assertion, of: endpoint)
    let subject: String?
    switch try assertion.claim() {
    case .none: subject = nil
    case .confirmed(let known): subject = known
    case .lookUp(let identifier):
      guard NetworkScope(identifier.url) <= scope else {
        throw OAuthFailure.untrusted("the provider names an identifier \(NetworkScope(identifier.url).place), where it is not itself")
      }
      let limit = plan.provider.names(identifier.url) ? .thisMachine : scope
      subject = try assertion.subject(confirmedBy: try await provider.discover(identifier, within: limit).services)
    }
    return OpenIDIdentity(assertion.signed, subject: subject, plan.provider.openid)
  }

  private func grant(code: Secret, identity: OpenIDIdentity) async throws -> Grant {
    let provider = try plan.provider.filled(with: .init(), client: plan.client)
    let validation = IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.keys)
    if plan.scopes.contains("openid") { try await validation.prepare() }
    let tokens = try await TokenEndpoint(provider, plan.client, dependencies, .withCode)
      .ask(.code(code, redirectUri: returnTo, verifier: nil))
    var grant = try plan.grant(tokens, kept: .init(), redirectUri: returnTo, at: dependencies.clock.instant)
    identity.add(to: &grant)
    return try await plan.identified(grant, by: tokens.idToken, validation, nonce: nil)
  }

  /// Returns a grant with the identity, and with an access token if a request token was approved.
  private func grant(identity: OpenIDIdentity) async throws -> Grant {
    let now = dependencies.clock.instant
    var grant = plan.grant(accessToken: nil, tokenType: nil, at: now.seconds)
    if let token = identity.requestToken {
      let endpoints = try OAuth1Endpoints(
        account: plan.account, client: plan.client, provider: plan.provider, dependencies: dependencies)
      grant.take(try await endpoints.tokenCredentials(approved: token), at: now)
      grant.grantedScopes = identity.scopes ?? plan.scopes
    } else {
      // No scope was granted. Requesting the scopes again would only open the same page again.
      grant.declinedScopes = plan.scopes
    }
    identity.add(to: &grant)
    try plan.checkUser(grant.subject)
    return grant
  }
}
