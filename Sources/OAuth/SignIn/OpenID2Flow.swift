import Jansson
import OAuthCore
import Signatures
import Store

/// A sign-in by OpenID 2.0: the user's identity, and with a hybrid also a grant (Spark's code, or the OAuth extension's request token).
struct OpenID2Flow: SignInFlow {
  package let url: String
  private let plan: AuthorizationPlan
  private let state: Secret
  private let returnTo: String
  private let expectation: OpenIDAssertion.Expectation
  private let endpoint: String
  /// The narrowest network scope that a request to the endpoint may reach.
  private let limit: NetworkScope
  private let dependencies: Dependencies

  static func begin(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> OpenID2Flow {
    let (service, limit) = try await service(plan.provider, dependencies)
    return try OpenID2Flow(plan, service, limit, redirectUri, dependencies)
  }

  /// Returns the service, and the narrowest network scope that requests to it may reach.
  private static func service(
    _ described: Provider, _ dependencies: Dependencies
  ) async throws -> (OpenIDService, limit: NetworkScope) {
    let options = described.openid
    if let endpoint = options.openidEndpoint { return (OpenIDService(kind: .server, endpoint: endpoint), .thisMachine) }
    guard let identifier = options.openidIdentifier else {
      throw OAuthFailure.misconfigured("/provider/openidEndpoint", "the provider has neither an OpenID endpoint nor an identifier")
    }
    let (services, scope) = try await discover(try OpenIDIdentifier(identifier), dependencies)
    guard let service = services.first else { throw OAuthFailure.unsupported("the identifier leads to no OpenID provider") }
    let isNamed = (try? URLParts(service.endpoint)).map(described.names) ?? false
    return (service, isNamed ? .thisMachine : scope)
  }

  private init(
    _ plan: AuthorizationPlan, _ service: OpenIDService, _ limit: NetworkScope, _ redirectUri: String, _ dependencies: Dependencies
  ) throws(OAuthFailure) {
    let options = plan.provider.openid
    let state = Base64.encodeURL(dependencies.random(16))
    guard let address = try? URLParts(redirectUri) else {
      throw OAuthFailure.misconfigured("/redirectUri", "the redirect URI is not an absolute URI")
    }
    // A provider that echoes its own state parameter compares return_to with the registered value. Nothing may be added to it.
    returnTo = options.openidStateParameter == nil ? address.appendingQuery([("state", state)]).description : redirectUri
    var request = OpenIDAuthenticationRequest(service: service, returnTo: returnTo)
    request.dialect = options.openidDialect
    request.realm = options.openidRealm ?? redirectUri
    guard request.dialect == .bare || OpenIDAuthenticationRequest.isRealm(options.openidRealm ?? redirectUri, of: returnTo) else {
      throw OAuthFailure.misconfigured("/provider/openidRealm", "the redirect URI is outside openidRealm")
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
      throw OAuthFailure.misconfigured("/provider/openidEndpoint", "the OpenID endpoint is not a URL")
    }
    self.url = url
    self.plan = plan
    self.state = Secret(state)
    endpoint = service.endpoint
    self.limit = limit
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
  func isResponse(_ parameters: [RedirectParameter]) -> Bool {
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
    let scope = try await check(assertion)
    let subject: String?
    switch try assertion.claim() {
    case .none: subject = nil
    case .confirmed(let known): subject = known
    case .lookUp(let identifier):
      guard NetworkScope(identifier.url) <= scope else {
        throw OAuthFailure.untrusted(
          "the provider, which is elsewhere, names an identifier \(NetworkScope(identifier.url).place)")
      }
      let limit = plan.provider.names(identifier.url) ? .thisMachine : scope
      subject = try assertion.subject(confirmedBy: try await Self.discover(identifier, within: limit, dependencies).services)
    }
    return OpenIDIdentity(assertion.signed, subject: subject, plan.provider.openid)
  }

  private func grant(code: Secret, identity: OpenIDIdentity) async throws -> Grant {
    let provider = try plan.filledProvider
    let validation = IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.keys)
    if plan.scopes.contains("openid") { try await validation.prepare() }
    let tokens = try await TokenEndpoint(provider, plan.client, for: plan.account, dependencies, .withCode)
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
      // With an empty secret and no verifier (OpenID OAuth Extension 1.0, 10).
      // The signed response to this process's own sign-in proves what a verifier would prove.
      let approved = OAuth1Token(token: token, secret: Secret(""))
      grant.take(try await endpoints.tokenCredentials(temporary: approved, verifier: nil), at: now)
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

// MARK: Exchanges with the provider
extension OpenID2Flow {
  /// Returns the identifier's services, at least one, in the order in which to try them, and the scope of the server that names them.
  private static func discover(
    _ identifier: OpenIDIdentifier, within limit: NetworkScope = .thisMachine, _ dependencies: Dependencies
  ) async throws -> (services: [OpenIDService], scope: NetworkScope) {
    var discovery = OpenIDDiscovery(identifier, within: limit)
    while true {
      switch try discovery.read(try await dependencies.http.exchange(discovery.request)) {
      case .next: continue
      case .found(let services): return (services, discovery.scope)
      }
    }
  }

  /// Asks the provider whether the assertion is its own, and records its nonce. Throws otherwise.
  ///
  /// No association is established (OpenID Authentication 2.0, 8): verifying each response costs one request and saves a key exchange.
  /// Returns the scope of the address that answered. Behind a proxy the endpoint counts as public.
  private func check(_ assertion: OpenIDAssertion) async throws -> NetworkScope {
    let now = dependencies.clock.now
    var request = assertion.verificationRequest
    request.scopeLimit = limit
    let response = try await dependencies.http.exchange(request)
    try assertion.check(response)
    guard assertion.nonce.map({ dependencies.openid.isFirst($0, of: endpoint, at: now) }) != false else {
      throw OAuthFailure.untrusted("the response's nonce was used before")
    }
    return max((try? URLParts(endpoint)).map(NetworkScope.init) ?? .publicNetwork, response.scope ?? .publicNetwork)
  }
}

extension OpenIDIdentity {
  /// Enters the user and the attributes into the grant. Leaves out values with control characters.
  func add(to grant: inout Grant) {
    grant.subject = subject
    let shown = attributes.filter { !$0.value.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    grant.attributes = grant.attributes.merged(with: NamedValues(shown))
    grant.email = shown.first { $0.name == "email" }?.value ?? grant.email
  }
}
