import Jansson
import OAuthCore
import Plans
import Signatures
import Store

/// The requests that a sign-in would send, for `authorize` with `dryRun`. Nothing is sent.
///
/// The sign-in's own code runs with a network that only records requests and answers with placeholders.
/// What is shown is therefore what would be sent.
package struct DryRun: Sendable {
  /// One request, with every secret masked.
  package struct Step: Sendable {
    /// The purpose: the endpoint's name without `Endpoint`, or `registration`, `pushedAuthorization`, `checkAuthentication`,
    /// `refresh`, `revocation`, `callAPI`.
    package var name: String
    package var method: String
    package var url: String
    package var headers: NamedValues<String>
    package var body: String?
    /// The OAuth 1.0a signature base string.
    package var baseString: String?

    package static var sample: Step { Step(name: "", method: "", url: "", headers: .init(), body: "", baseString: "") }
  }

  /// nil if only the provider knows the page.
  package var url: String?
  /// nil if the sign-in has no redirect.
  package var redirectUri: String?
  package var steps: [Step] = []

  package static var sample: DryRun { DryRun(url: "", redirectUri: "", steps: []) }

  /// Placeholders for values that only the provider or the configuration knows.
  enum Placeholder {
    static let code = "CODE"
    static let clientId = "CLIENT_ID"
    static let requestUri = "REQUEST_URI"
    static let clientSecret = "CLIENT_SECRET"
    static let clientAssertion = "CLIENT_ASSERTION"
    static let accessToken = "ACCESS_TOKEN"
    static let assertion = "ASSERTION"
    static let subjectToken = "SUBJECT_TOKEN"
    static let actorToken = "ACTOR_TOKEN"
    static let refreshToken = "REFRESH_TOKEN"
    static let requestToken = "REQUEST_TOKEN"
    static let verifier = "VERIFIER"
    static let tokenSecret = "TOKEN_SECRET"
    static let deviceCode = "DEVICE_CODE"
    static let userCode = "USER_CODE"
    static let associationHandle = "ASSOCIATION_HANDLE"
    static let user = "USER"
    /// Base64, as a signature is.
    static let signature = "THESIGNATURE"
  }

  /// Records a sign-in with a redirect.
  package static func of(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> DryRun {
    let (plan, provider) = try masked(plan)
    let network = RecordingHTTPClient(provider: provider)
    // The only draw of this size is PKCE's verifier (RFC 7636, 4.1).
    let verifier = dependencies.random(32)
    let own = dependencies.inMemory(network) { $0 == verifier.count ? verifier : dependencies.random($0) }
    let exchange = try await plan.flow(redirectUri: redirectUri, dependencies: own)
    var dryRun = DryRun(url: exchange.url, redirectUri: redirectUri)
    // The redirect is invented, and a check after the requests may reject it. The requests are recorded by then.
    _ = try? await exchange.conclude(redirect(to: exchange.url, plan, at: own.clock.now))
    let mask = RequestMask(of: plan, drawn: [Base64.encodeURL(verifier)])
    dryRun.url = mask.shown(exchange.url)
    dryRun.steps = registration(plan, provider, redirectUri, mask) + network.requests.map { mask.step(network.name(of: $0), $0) }
    dryRun.steps += await later(plan, provider, redirectUri, own, mask)
    return dryRun
  }

  /// Records a sign-in without a redirect: the request for the client's own token, or those for a device code and for its result.
  static func withoutRedirect(_ plan: AuthorizationPlan, dependencies: Dependencies) async throws -> DryRun {
    let (plan, provider) = try masked(plan)
    let mask = RequestMask(of: plan)
    let requests: [(String, HTTPRequest?)]
    if plan.isForClient {
      let asked = try ClientCall(dryRunOf: plan).tokenRequest(scopes: plan.scopes, plan.request.parameters)
      let request = asked.httpRequest(provider, plan.client)
      requests = [("token", request?.signed(provider.token, plan.client, at: dependencies.clock.now))]
    } else {
      let code = TokenRequest.device(Secret(Placeholder.deviceCode), userCode: Placeholder.userCode, resource: plan.resource)
      requests = [
        ("deviceAuthorization", DeviceFlow.request(plan, provider, plan.client)),
        ("token", code.httpRequest(provider, plan.client)),
      ]
    }
    let steps = requests.compactMap { name, request in request.map { mask.step(name, $0) } }
    return DryRun(steps: registration(plan, provider, nil, mask) + steps + (await later(plan, provider, nil, dependencies, mask)))
  }

  /// Returns a request for a token that the client of a plan sends.
  static func step(_ request: TokenRequest, by plan: AuthorizationPlan) throws -> Step? {
    let (plan, provider) = try masked(plan)
    return request.httpRequest(provider, plan.client).map { RequestMask(of: plan).step("token", $0) }
  }

  /// Returns the plan with placeholders for the client's secret and for what only the provider knows, and its filled provider.
  private static func masked(_ plan: AuthorizationPlan) throws -> (AuthorizationPlan, Provider) {
    var plan = plan
    // The real secret is replaced first and therefore cannot be shown.
    if plan.request.sources.serviceAccount != nil { plan.client = Client(id: "") }
    if plan.signsOnlyAssertion { plan.client = Client(id: plan.client.id) }
    let signs = try !plan.hasAssertion && plan.provider.assertionKey(of: plan.client) != nil
    if signs { _ = try plan.provider.assertionAudience(at: plan.provider.tokenEndpoint) }
    if plan.hasAssertion || signs {
      plan.client = Client(id: plan.client.id)
      plan.client.assert(plan.request.clientRequest)
      plan.client.assertion = Secret(Placeholder.clientAssertion)
    }
    if plan.client.secret != nil { (plan.client.stored.secret, plan.client.configured.secret) = (Secret(Placeholder.clientSecret), nil) }
    if plan.bindsTokens { plan.dpopKey = SigningKey.newProofKey() }
    plan.provider.fillWithPlaceholders()
    if plan.registersClient { plan.client = Client(id: Placeholder.clientId) }
    return (plan, try plan.provider.filled(with: .init(), client: plan.client))
  }

  private static func registration(_ plan: AuthorizationPlan, _ provider: Provider, _ redirectUri: String?, _ mask: RequestMask) -> [Step] {
    guard plan.registersClient, !plan.reusesClient(for: redirectUri) else { return [] }
    let request = RegistrationRequest.httpRequest(provider, redirectUri: redirectUri, scopes: plan.scopes)
    return request.map { [mask.step("registration", $0)] } ?? []
  }

  /// Returns a redirect as the provider would send it. A state is echoed unchanged.
  private static func redirect(to page: String, _ plan: AuthorizationPlan, at now: Int) -> [RedirectParameter] {
    let url = try? URLParts(page)
    let behindFragment = url?.fragment?.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
    let query = (behindFragment ?? url?.query).map { FormEncoding.decodeLeniently($0) } ?? []
    let echoed = ["state", plan.provider.request.stateParameter, plan.provider.openid.openidStateParameter].compactMap(\.self)
    var parameters = query.filter { echoed.contains($0.0) }.map { RedirectParameter(name: $0.0, value: $0.1) }
    let code = plan.provider.openid.openidCodeParameter ?? plan.provider.request.codeParameter
    parameters += [
      RedirectParameter(name: code, value: Placeholder.code), RedirectParameter(name: "oauth_token", value: Placeholder.requestToken),
      RedirectParameter(name: "oauth_verifier", value: Placeholder.verifier),
    ]
    guard plan.provider.protocolName == .openid2 else { return parameters }
    let asked = query.map { RedirectParameter(name: $0.0, value: $0.1) }
    return parameters + RecordingHTTPClient.assertion(plan.provider, asked: asked, at: now)
  }

  /// Returns the requests after a sign-in: exchange for a long-lived token, refresh, API call and revocation.
  private static func later(
    _ plan: AuthorizationPlan, _ provider: Provider, _ redirectUri: String?, _ dependencies: Dependencies, _ mask: RequestMask
  ) async -> [Step] {
    let client = plan.client
    let access = Secret(Placeholder.accessToken)
    let refresh = Secret(provider.token.refreshStyle == .accessToken ? Placeholder.accessToken : Placeholder.refreshToken)
    var grant = plan.grant(
      accessToken: access,
      tokenType: plan.dpopKey != nil ? "DPoP" : provider.tokenResponse.tokenType ?? provider.tokenResponse.tokenTypeDefault, at: 0)
    if provider.protocolName == .oauth1 { (grant.tokenSecret, grant.tokenType) = (Secret(Placeholder.tokenSecret), Grant.signedTokenType) }
    if plan.isForClient { grant.clientParameters = plan.request.parameters }
    var steps: [Step] = []
    func add(_ name: String, _ request: HTTPRequest?) { if let request { steps.append(mask.step(name, request)) } }
    // A client requests its next token in the same way as the first, and has no refresh token.
    let isForUser = !plan.isForClient
    if isForUser, let request = TokenRequest.longLived(access).httpRequest(provider, client) {
      add("longLived", request.signed(provider.token, client, at: dependencies.clock.now))
    }
    if isForUser, provider.tokenEndpoint != nil {
      let request = TokenRequest.refresh(refresh, redirectUri: redirectUri, scopes: plan.scopes).httpRequest(provider, client)
      add("refresh", request?.signed(provider.token, client, at: dependencies.clock.now))
    }
    if let base = provider.api.apiBase {
      var call = HTTPRequest(method: "GET", url: base)
      call.addHeaders(of: provider)
      add("callAPI", try? RequestCredential(grant: grant, resolved: .init(provider), dependencies: dependencies).apply(to: call))
    }
    if provider.tokenEndpoint != nil {
      if isForUser, provider.token.refreshStyle == .refreshToken {
        add("revocation", RevocationRequest(token: refresh, hint: "refresh_token").httpRequest(provider, client))
      }
      add("revocation", RevocationRequest(token: access, hint: "access_token").httpRequest(provider, client))
    }
    for request in await signedRevocation(of: grant, provider, dependencies) { add("revocation", request) }
    return steps
  }

  private static func signedRevocation(of grant: Grant, _ provider: Provider, _ dependencies: Dependencies) async -> [HTTPRequest] {
    guard provider.revocation.revocationStyle == .signed else { return [] }
    let network = RecordingHTTPClient(provider: provider)
    let own = dependencies.inMemory(network, dependencies.random)
    // A request that cannot be signed is not shown, because it would not be sent.
    _ = try? await OAuth1Endpoints.revoke(grant, provider, own)
    return network.requests
  }
}

extension ClientCall {
  /// A request with placeholders in the place of tokens. Nothing is read for a dry run.
  init(dryRunOf plan: AuthorizationPlan) {
    typealias Placeholder = DryRun.Placeholder
    self.init(request: plan.request.clientRequest)
    if request.flow == .identityAssertion { request.flow = .jwtBearer }
    request["subjectToken"] = .string(request.flow == .jwtBearer ? Placeholder.assertion : Placeholder.subjectToken)
    if plan.has("actorToken") { request["actorToken"] = .string(Placeholder.actorToken) }
  }
}
