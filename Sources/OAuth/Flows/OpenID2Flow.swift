import Jansson
import OAuthCore
import Plans
import Store

/// A sign-in by OpenID 2.0: the user's identity, and with Spark's hybrid also a code.
struct OpenID2Flow: SignInFlow {
  package let url: String
  private let plan: AuthorizationPlan
  private let state: Secret
  private let returnTo: String
  private let expectation: OpenIDAssertion.Expectation
  private let dependencies: Dependencies

  init(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) throws(OAuthFailure) {
    let options = plan.provider.openid
    guard let endpoint = options.openidEndpoint else {
      throw OAuthFailure.misconfigured(
        "/provider/openidEndpoint", "the provider's description has no openidEndpoint: add the URL of its OpenID endpoint")
    }
    guard options.openidDialect == .bare || options.openidClaimedIds != nil else {
      throw OAuthFailure.misconfigured(
        "/provider/openidClaimedIds",
        "the provider's description has no openidClaimedIds: add the URL that all its users' identifiers start with")
    }
    let state = Base64.encodeURL(dependencies.random(16))
    guard let address = try? URLParts(redirectUri) else {
      throw OAuthFailure.misconfigured("/redirectUri", "the redirect URI is not an absolute URI")
    }
    // A provider that echoes its own state parameter compares return_to with the registered value. Nothing may be added to it.
    returnTo = options.openidStateParameter == nil ? address.appendingQuery([("state", state)]).description : redirectUri
    var request = OpenIDAuthenticationRequest(endpoint: endpoint, returnTo: returnTo)
    request.dialect = options.openidDialect
    request.realm = redirectUri
    if let name = options.openidClientParameter { request.client = [(name, plan.client.id)] }
    request.attributes = options.openidAttributes
    if let name = options.openidStateParameter { request.parameters.append((name, state)) }
    request.parameters =
      options.openidParameters.pairs.filter { preset in !plan.request.parameters.pairs.contains { $0.name == preset.name } }
      + request.parameters.filter { $0.name == options.openidStateParameter } + plan.request.parameters.pairs
    guard let url = request.url else { throw OAuthFailure.misconfigured("/provider/openidEndpoint", "the OpenID endpoint is not a URL") }
    self.url = url
    self.plan = plan
    self.state = Secret(state)
    self.dependencies = dependencies
    expectation = OpenIDAssertion.Expectation(
      endpoint: endpoint, returnTo: returnTo, dialect: options.openidDialect, claimedIds: options.openidClaimedIds)
  }

  /// Only this process's state decides, whichever way it was sent. Without it any sender's response would be accepted (cross-site request forgery).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    let named = parameters.filter { $0.name == plan.provider.openid.openidStateParameter ?? "state" }
    return named.count == 1 && named.allSatisfy { Secret($0.value) == state }
  }

  var redirectKey: Secret? { state }

  /// The page's own URL also has an `openid.mode`, but with the value of a request (9.1).
  func isResponse(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { $0.name == "openid.mode" && !$0.value.isEmpty && !$0.value.hasPrefix("checkid_") }
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    let message = try OpenIDMessage(parameters)
    try message.checkMode()
    guard let name = plan.provider.openid.openidCodeParameter else { return try grant(identity: try await identity(message, parameters)) }
    guard let code = parameters.first(where: { $0.name == name })?.value, !code.isEmpty else {
      throw OAuthFailure.untrusted("the redirect has neither a code nor an error")
    }
    // The identity counts only if a signature proves it. The code is proven at the token endpoint.
    let identity = message["sig"] == nil ? OpenIDIdentity() : try await identity(message, parameters)
    return try await grant(code: Secret(code), identity: identity)
  }

  private func identity(_ message: OpenIDMessage, _ parameters: [RedirectParameter]) async throws -> OpenIDIdentity {
    let assertion = try OpenIDAssertion(message, parameters: parameters, expecting: expectation, now: dependencies.clock.now)
    try await check(assertion)
    return OpenIDIdentity(assertion.signed, subject: try assertion.subject(), plan.provider.openid)
  }

  /// Asks the provider whether the assertion is its own, and records its nonce. Throws otherwise.
  ///
  /// No association is established (OpenID Authentication 2.0, 8): verifying each response costs one request and saves a key exchange.
  private func check(_ assertion: OpenIDAssertion) async throws {
    let now = dependencies.clock.now
    try assertion.check(try await dependencies.http.exchange(assertion.verificationRequest))
    guard dependencies.servers.isFirst(assertion.nonce, of: expectation.endpoint, at: now) else {
      throw OAuthFailure.untrusted("the response's nonce was used before")
    }
  }

  private func grant(code: Secret, identity: OpenIDIdentity) async throws -> Grant {
    let provider = try plan.filledProvider
    let validation = IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.servers.keys)
    if plan.scopes.contains("openid") { try await validation.prepare() }
    let tokens = try await TokenEndpoint(provider, plan.client, for: plan.account, dependencies, .withCode)
      .ask(.code(code, redirectUri: returnTo, verifier: nil))
    var grant = try plan.grant(tokens, attributes: .init(), redirectUri: returnTo)
    identity.add(to: &grant)
    return try await plan.identified(grant, by: tokens, validation, nonce: nil)
  }

  private func grant(identity: OpenIDIdentity) throws -> Grant {
    var grant = plan.grant(accessToken: nil, tokenType: nil, at: dependencies.clock.now)
    // No scope was granted. Requesting the scopes again would only open the same page again.
    grant.declinedScopes = plan.scopes
    identity.add(to: &grant)
    try plan.checkUser(grant.subject)
    return grant
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
