import Jansson
import OAuthCore
import Plans
import Signatures
import Store

/// A sign-in by OAuth 2.0's authorization code (RFC 6749, 4.1) with PKCE (RFC 7636).
struct AuthorizationCodeFlow: SignInFlow {
  private(set) var url: String
  private(set) var pageLifetime: Int?
  /// What the endpoint for pushed requests tells about the method also counts for the token endpoint.
  private var probe = TokenEndpoint.ClientAuthenticationProbe()
  private let request: AuthorizationRequest
  private let plan: AuthorizationPlan
  private let state: Secret
  private let redirectUri: String
  private let pkce: AuthorizationRequest.PKCE?
  /// The nonce that the ID token has to repeat; nil if none is sent.
  private let nonce: Secret?
  private let dependencies: Dependencies

  static func begin(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> AuthorizationCodeFlow {
    var signIn = try AuthorizationCodeFlow(plan, redirectUri, dependencies)
    if plan.provider.request.pushedAuthorizationRequests == .on { try await signIn.push() }
    return signIn
  }

  /// Pushes the same request again. A redirect from the earlier page is still accepted.
  func withFreshPage() async throws -> (any SignInFlow)? {
    guard pageLifetime != nil else { return nil }
    var signIn = self
    try await signIn.push()
    return signIn
  }

  /// Pushes the request to the provider (RFC 9126). The page URL then contains only the client id and the provider's reference to the request.
  private mutating func push() async throws {
    let response = try await probe.send(try plan.filledProvider, plan.client) { [request, plan, dependencies, state] provider in
      let (response, client) = try await dependencies.exchange(
        by: plan.client, at: provider.pushedAuthorizationRequestEndpoint, to: provider, for: plan.account, as: "signIn",
        provingBy: plan.dpopKey
      ) { client in
        guard let pushed = request.pushed(provider, client) else { throw OAuthFailure.lacking("pushedAuthorizationRequestEndpoint") }
        return pushed
      }
      return try AuthorizationRequest.Pushed(response, provider, client, hiding: state)
    }
    url = request.url(requestUri: response.requestUri) ?? url
    pageLifetime = response.lifetime
  }

  private init(_ plan: AuthorizationPlan, _ redirectUri: String, _ dependencies: Dependencies) throws(OAuthFailure) {
    guard let endpoint = try plan.filledProvider.authorizationEndpoint else { throw .lacking("authorizationEndpoint") }
    // Checked before the user signs in, because the code would be useless.
    guard plan.provider.tokenEndpoint != nil else { throw TokenEndpoint.missing }
    try plan.provider.checkAuthentication(of: plan.client)
    self.plan = plan
    self.redirectUri = redirectUri
    self.dependencies = dependencies
    var seed = plan.seed.dropFirst(AuthorizationPlan.stateLength)
    func random(_ count: Int) -> [UInt8] {
      defer { seed = seed.dropFirst(count) }
      return seed.count < count ? dependencies.random(count) : Array(seed.prefix(count))
    }
    state = plan.seededState ?? Secret(Base64.encodeURL(random(AuthorizationPlan.stateLength)))
    let challenge = plan.provider.request.pkce
    pkce = challenge == .off ? nil : .init(random: random(32), isHexadecimal: challenge == .hexadecimal)
    // Some servers reject `openid` without a nonce, though only the implicit flow requires one (OpenID Connect Core, 3.1.2.1).
    // A caller whose own server validates the ID token sends its own nonce.
    let isSent = plan.scopes.contains("openid") && plan.provider.request.nonce == .on
    nonce = (plan.request.parameters["nonce"] ?? (isSent ? Base64.encodeURL(random(16)) : nil)).map(Secret.init)
    var request = AuthorizationRequest(
      endpoint: endpoint, clientId: plan.client.id, redirectUri: redirectUri, scopes: plan.scopes, state: state,
      nonce: nonce?.value, pkce: pkce,
      parameters: plan.request.parameters.pairs
        + plan.provider.request.authorizationParameters.pairs.filter { preset in
          !plan.request.parameters.pairs.contains { $0.name == preset.name } && (preset.name != "resource" || plan.resource != nil)
        }, options: plan.provider.request)
    request.keyThumbprint = try plan.dpopKey.map { key throws(OAuthFailure) in try SigningKey(key).thumbprint }
    self.request = request
    guard let url = request.url else {
      throw OAuthFailure.misconfigured("/provider/authorizationEndpoint", "the authorization endpoint is not a URL")
    }
    self.url = url
  }

  /// Only `state` decides (RFC 6749, 10.12). A redirect with two of them is ambiguous (3.1).
  func claims(_ parameters: [RedirectParameter]) -> Bool {
    let states = parameters.filter { $0.name == plan.provider.request.stateParameter }
    return states.count == 1 && state == Secret(states[0].value)
  }

  var redirectKey: Secret? { state }

  func isResponse(_ parameters: [RedirectParameter]) -> Bool {
    parameters.contains { [plan.provider.request.codeParameter, "error"].contains($0.name) && !$0.value.isEmpty }
  }

  /// Takes a code that the page shows (`urn:ietf:wg:oauth:2.0:oob`, or a provider's own page of this kind). Some pages show `CODE#STATE`.
  func redirect(typed text: Secret) -> [RedirectParameter]? {
    let parts = text.value.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, Secret(String(parts[1])) != state { return nil }
    return [
      RedirectParameter(name: plan.provider.request.stateParameter, value: state.value),
      RedirectParameter(name: plan.provider.request.codeParameter, value: String(parts[0])),
    ]
  }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    let options = plan.provider.request
    let response = AuthorizationRequest.Response(
      parameters, issuer: plan.provider.issuer, page: request.endpoint, isIssuerRequired: options.redirectIssuer == .required,
      codeParameter: options.codeParameter, stateParameter: options.stateParameter, errorNames: options.redirectErrorNames)
    switch response {
    case .failure(let failure): throw failure.advisingIssuer(of: plan.provider)
    case .code(let code):
      let attributes = plan.attributes(from: parameters)
      let provider = try plan.provider.filled(with: attributes, client: plan.client)
      if let name = provider.tokenEndpoint.flatMap({ Template($0).names.first }) {
        throw OAuthFailure.untrusted("the redirect has no \(name), which the token endpoint needs")
      }
      let validation = IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.servers.keys)
      if plan.scopes.contains("openid") { try await validation.prepare() }
      var endpoint = TokenEndpoint(provider, plan.client, for: plan.account, dependencies, .withCode)
      (endpoint.probe, endpoint.dpopKey) = (probe, plan.dpopKey)
      let tokens = try await endpoint.ask(.code(code, redirectUri: redirectUri, verifier: pkce?.verifier, resource: plan.resource))
      let grant = try plan.grant(tokens, attributes: attributes, redirectUri: redirectUri)
      return try await plan.identified(grant, by: tokens, validation, nonce: nonce)
    }
  }

  /// Asks once more with the provider's `consentRetry` if a refresh token was wanted but not issued.
  /// Returns nil if the caller overrides one of the description's parameters, or if the last page was already requested in this way.
  func consentRetry(for grant: Grant) async throws -> (any SignInFlow)? {
    let retry = plan.provider.request.consentRetry
    guard grant.refreshToken == nil, !retry.pairs.isEmpty, !plan.isSecondRound else { return nil }
    let asked = plan.request.parameters
    let isOverridden = plan.provider.request.authorizationParameters.pairs.contains { pair in
      asked[pair.name].map { $0 != pair.value } ?? false
    }
    guard !isOverridden, retry.pairs.contains(where: { asked[$0.name] != $0.value }) else { return nil }
    var second = plan
    (second.isSecondRound, second.seed) = (true, [])
    second.expectedSubject = grant.subject ?? plan.expectedSubject
    second.request.parameters = second.request.parameters.merged(with: retry)
    return try await Self.begin(second, redirectUri: redirectUri, dependencies: dependencies)
  }
}
