import Jansson

/// A sign-in by the device authorization grant (RFC 8628): somebody types a code on a page of the provider, on whatever machine has a browser.
struct DeviceSignIn: SignInProtocol {
  let url: String
  let userCode: String?
  let verificationUri: String?
  let lifetime: Int?
  let polling: DevicePolling?
  private let setup: AuthorizeSetup
  private let surroundings: Surroundings

  /// Asks for the codes; nothing is sent back to us, so there is no redirect URI in it.
  static func begin(_ setup: AuthorizeSetup, redirectUri: String, surroundings: Surroundings) async throws -> DeviceSignIn {
    let provider = try setup.provider.filled(with: .init(), client: setup.client)
    guard provider.deviceAuthorizationEndpoint != nil else { throw Self.noEndpoint }
    guard provider.tokenEndpoint != nil else { throw TokenEndpoint.missing }
    // Keys that cannot be had would make the tokens worthless for which somebody has typed a code.
    if setup.scopes.contains("openid") { try await Self.validation(setup, provider, surroundings).prepare() }
    var endpoint = TokenEndpoint(provider, setup.client, surroundings)
    do {
      return DeviceSignIn(setup, try await Self.codes(setup, provider, surroundings), endpoint, surroundings)
    } catch let failure as OAuthFailure where endpoint.isProbing && failure["error"] == "invalid_client" {
      endpoint.hasRefusedBasic = true
      var other = provider
      other.token.clientAuthentication = .body
      return DeviceSignIn(setup, try await Self.codes(setup, other, surroundings), endpoint, surroundings)
    }
  }

  private static func codes(
    _ setup: AuthorizeSetup, _ provider: Provider, _ surroundings: Surroundings
  ) async throws -> DeviceAuthorizationResponse {
    guard let request = Self.request(setup).httpRequest(provider, setup.client) else { throw Self.noEndpoint }
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await surroundings.http.send(request, to: provider)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
    return try DeviceAuthorizationResponse(response, provider, hiding: Redaction([], client: setup.client, provider: provider))
  }

  private init(_ setup: AuthorizeSetup, _ answer: DeviceAuthorizationResponse, _ endpoint: TokenEndpoint, _ surroundings: Surroundings) {
    self.setup = setup
    self.surroundings = surroundings
    url = answer.url
    userCode = answer.userCode
    verificationUri = answer.verificationUri
    lifetime = answer.expiresIn
    polling = DevicePolling(
      endpoint: endpoint,
      request: .device(answer.deviceCode, userCode: answer.userCode, resource: setup.resource),
      interval: answer.interval, sleep: surroundings.sleep)
  }

  static func request(_ setup: AuthorizeSetup) -> DeviceAuthorizationRequest {
    DeviceAuthorizationRequest(scopes: setup.scopes, parameters: setup.parameters)
  }

  static var noEndpoint: OAuthFailure { .unsupported("the provider has no device authorization endpoint that is known of") }

  /// No redirect is for it.
  func claims(_ parameters: [RedirectParameter]) -> Bool { false }

  func isAnswer(_ parameters: [RedirectParameter]) -> Bool { false }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    throw OAuthFailure.untrusted("no redirect answers a sign-in with a device code")
  }

  /// No nonce was sent, so none is looked for in the ID token.
  func conclude(_ tokens: TokenResponse) async throws -> Grant {
    let provider = try setup.provider.filled(with: .init(), client: setup.client)
    let grant = try setup.grant(tokens, kept: .init(), redirectUri: nil, at: surroundings.instant)
    return try await setup.identified(grant, by: tokens.idToken, Self.validation(setup, provider, surroundings), nonce: nil)
  }

  private static func validation(_ setup: AuthorizeSetup, _ provider: Provider, _ surroundings: Surroundings) -> IDTokenValidation {
    IDTokenValidation(provider: provider, client: setup.client, keys: surroundings.keys)
  }
}
