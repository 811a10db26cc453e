import OAuthCore
import Plans
import Platform
import Store

/// A sign-in by the device authorization grant (RFC 8628): the user types a code on a page of the provider, on any machine with a browser.
struct DeviceFlow: SignInFlow {
  let codes: DeviceAuthorizationResponse
  private let plan: AuthorizationPlan
  private let endpoint: TokenEndpoint
  private let dependencies: Dependencies

  var url: String { codes.url }
  var device: DeviceFlow? { self }

  /// Requests the codes. The provider sends no redirect, and the request has no redirect URI.
  static func begin(_ plan: AuthorizationPlan, dependencies: Dependencies) async throws -> DeviceFlow {
    let provider = try plan.filledProvider
    guard provider.deviceAuthorizationEndpoint != nil else { throw AuthorizationPlan.noDeviceEndpoint }
    guard provider.tokenEndpoint != nil else { throw TokenEndpoint.missing }
    // Without the issuer's keys the tokens would be useless after the user has typed the code.
    if plan.scopes.contains("openid") { try await validation(plan, provider, dependencies).prepare() }
    var endpoint = TokenEndpoint(provider, plan.client, for: plan.account, dependencies, provingBy: plan.dpopKey)
    let codes = try await endpoint.probe.send(provider, plan.client) { provider in
      let (response, client) = try await dependencies.exchange(
        by: plan.client, at: provider.deviceAuthorizationEndpoint, to: provider, for: plan.account, as: "signIn"
      ) { client in
        guard let request = request(plan, provider, client) else { throw AuthorizationPlan.noDeviceEndpoint }
        return request
      }
      return try DeviceAuthorizationResponse(response, provider, hiding: Redaction([], client: client, provider: provider))
    }
    return DeviceFlow(codes: codes, plan: plan, endpoint: endpoint, dependencies: dependencies)
  }

  static func request(_ plan: AuthorizationPlan, _ provider: Provider, _ client: Client) -> HTTPRequest? {
    DeviceAuthorizationRequest.httpRequest(provider, client, scopes: plan.scopes, parameters: plan.parameters)
  }

  /// A device sign-in takes no redirect.
  func claims(_ parameters: [RedirectParameter]) -> Bool { false }

  var redirectKey: Secret? { nil }

  func isResponse(_ parameters: [RedirectParameter]) -> Bool { false }

  func conclude(_ parameters: [RedirectParameter]) async throws -> Grant {
    throw OAuthFailure.untrusted("no redirect answers a sign-in with a device code")
  }

  /// Returns the grant for the tokens from polling. No nonce was sent, and the ID token is not checked for one.
  func conclude(_ tokens: TokenRequest.Response) async throws -> Grant {
    let provider = try plan.filledProvider
    let grant = try plan.grant(tokens, attributes: .init(), redirectUri: nil)
    return try await plan.identified(grant, by: tokens, Self.validation(plan, provider, dependencies), nonce: nil)
  }

  private static func validation(_ plan: AuthorizationPlan, _ provider: Provider, _ dependencies: Dependencies) -> IDTokenValidation {
    IDTokenValidation(provider: provider, client: plan.client, keys: dependencies.servers.keys)
  }

  // MARK: Polling

  /// Seconds added permanently at every `slow_down` (RFC 8628, 3.5).
  private static let slowdown = 5
  /// Maximum pause in seconds between two requests to a server that cannot be reached. A longer pause would delay a user who has approved.
  private static let longestPause = 60

  /// Polls the token endpoint with the device code until the user has approved or denied the sign-in (RFC 8628, 3.4 and 3.5).
  /// Returns the tokens. Throws when the provider denies the sign-in, or `CancellationError` when no caller waits any more.
  /// If the server cannot be reached, polling continues with a doubled pause.
  func tokens() async throws -> TokenRequest.Response {
    var endpoint = endpoint
    let request = TokenRequest.device(codes.deviceCode, userCode: codes.userCode, resource: plan.resource)
    var interval = codes.interval
    var pause = interval
    while true {
      try await dependencies.clock.sleep(seconds: pause)
      do {
        return try await endpoint.askAgain(request)
      } catch let error as OAuthFailure {
        switch answer(error) {
        case .authorizationPending: pause = interval
        case .slowDown:
          interval = max(interval + Self.slowdown, DeviceAuthorizationResponse.interval(error["interval"]) ?? 0)
          pause = interval
        case .accessDenied: throw OAuthFailure.denied(error["errorDescription"]?.string, error.details)
        case .expiredToken: throw OAuthFailure(.timedOut, "the user code expired before the user signed in", isRetryable: true)
        default:
          guard Self.isTemporary(error) else { throw error }
          pause = max(interval, min(pause * 2, Self.longestPause))
        }
        pause = max(pause, error.retryAfter ?? 0)
      }
    }
  }

  /// Returns what the server says instead of a token; nil if that is no error of the protocol.
  private func answer(_ failure: OAuthFailure) -> ServerError? {
    guard failure.kind == .authorizationServerError, let error = failure["error"]?.string else { return nil }
    return ServerError(rawValue: endpoint.provider.device.deviceErrorNames[error] ?? error)
  }

  private static func isTemporary(_ failure: OAuthFailure) -> Bool {
    switch failure.kind {
    // A captive portal, such as a café's that needs a click first, also causes a certificate error.
    case .networkFailure: failure["cause"] != "libcurl" && failure["cause"] != .string(HTTPFailure.rejectedCertificate)
    case .timedOut: true
    default: failure.isRetryable
    }
  }
}
