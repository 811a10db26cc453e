import OAuthCore

/// A sign-in by the device authorization grant (RFC 8628): the user types a code on a page of the provider, on any machine with a browser.
struct DeviceFlow: SignInFlow {
  package let url: String
  let userCode: String?
  let verificationUri: String?
  let lifetime: Int?
  let polling: DevicePolling?
  private let plan: AuthorizationPlan
  private let dependencies: Dependencies

  /// Requests the codes. The provider sends no redirect, and the request has no redirect URI.
  static func begin(_ plan: AuthorizationPlan, redirectUri: String, dependencies: Dependencies) async throws -> DeviceFlow {
    let provider = try plan.provider.filled(with: .init(), client: plan.client)
    guard provider.deviceAuthorizationEndpoint != nil else { throw AuthorizationPlan.noDeviceEndpoint }
    guard provider.tokenEndpoint != nil else { throw TokenEndpoint.missing }
    // Without the issuer's keys the tokens would be useless after the user has typed the code.
    if plan.scopes.contains("openid") { try await Self.validation(plan, provider, dependencies).prepare() }
    var endpoint = TokenEndpoint(provider, plan.client, dependencies)
    do {
      return DeviceFlow(plan, try await Self.codes(plan, provider, dependencies), endpoint, dependencies)
    } catch let failure as OAuthFailure where endpoint.isProbing && failure["error"] == "invalid_client" {
      endpoint.hasRefusedBasic = true
      var other = provider
      other.token.clientAuthentication = .body
      return DeviceFlow(plan, try await Self.codes(plan, other, dependencies), endpoint, dependencies)
    }
  }

  private static func codes(
    _ plan: AuthorizationPlan, _ provider: Provider, _ dependencies: Dependencies
  ) async throws -> DeviceAuthorizationResponse {
    guard let request = Self.request(plan).httpRequest(provider, plan.client) else { throw AuthorizationPlan.noDeviceEndpoint }
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await dependencies.http.send(request, to: provider)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
    return try DeviceAuthorizationResponse(response, provider, hiding: Redaction([], client: plan.client, provider: provider))
  }

  private init(_ plan: AuthorizationPlan, _ answer: DeviceAuthorizationResponse, _ endpoint: TokenEndpoint, _ dependencies: Dependencies) {
    self.plan = plan
    self.dependencies = dependencies
    url = answer.url
    userCode = answer.userCode
    verificationUri = answer.verificationUri
    lifetime = answer.expiresIn
    polling = DevicePolling(
      endpoint: endpoint,
      request: .device(answer.deviceCode, userCode: answer.userCode, resource: plan.resource),
      interval: answer.interval, sleep: dependencies.sleep)
  }

  static func request(_ plan: AuthorizationPlan) -> DeviceAuthorizationRequest {
    DeviceAuthorizationRequest(scopes: plan.scopes, parameters: plan.parameters)
  }

  /// A device sign-in takes no redirect.
  func claims(_ parameters: [RedirectParameter]) -> Bool { false }

  func isAnswer(_ parameters: [RedirectParameter]) -> Bool { false }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    throw OAuthFailure.untrusted("no redirect answers a sign-in with a device code")
  }

  /// No nonce was sent, and the ID token is not checked for one.
  func conclude(_ tokens: TokenResponse) async throws -> Grant {
    let provider = try plan.provider.filled(with: .init(), client: plan.client)
    let grant = try plan.grant(tokens, kept: .init(), redirectUri: nil, at: dependencies.instant)
    return try await plan.identified(grant, by: tokens.idToken, Self.validation(plan, provider, dependencies), nonce: nil)
  }

  private static func validation(_ plan: AuthorizationPlan, _ provider: Provider, _ dependencies: Dependencies) -> IDTokenValidation {
    IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.keys)
  }
}
