import Jansson

/// Asks the token endpoint for what a device code buys until somebody has said yes or no elsewhere (RFC 8628, 3.4 and 3.5).
struct DevicePolling: Sendable {
  let endpoint: TokenEndpoint
  let request: TokenRequest
  /// Seconds.
  let interval: Int
  let sleep: @Sendable (Int) async throws -> Void

  /// Added at every `slow_down`, for good (RFC 8628, 3.5).
  private static let slowdown = 5
  /// Seconds beyond which a server that cannot be reached is not waited for from one question to the next, so that somebody who has said yes
  /// is not left waiting.
  private static let longestPause = 60

  /// What the provider means by an answer that is no token.
  private enum Word {
    case pending
    case slowDown(to: Int?)
    case denied, expired
    /// It may pass by itself.
    case unreachable
    case refused
  }

  /// The tokens; throws as soon as the provider has said no, or `CancellationError` once nobody waits any more. A server that cannot be reached
  /// ends nothing: each time the pause is doubled.
  func tokens() async throws -> TokenResponse {
    var endpoint = endpoint
    var interval = interval
    var pause = interval
    while true {
      try await sleep(pause)
      do throws(OAuthFailure) {
        return try await endpoint.askAgain(request)
      } catch {
        try Task.checkCancellation()
        switch word(error) {
        case .pending: pause = interval
        case .slowDown(let named):
          interval = max(interval + Self.slowdown, named ?? 0)
          pause = interval
        case .unreachable: pause = max(interval, min(pause * 2, Self.longestPause))
        case .denied: throw OAuthFailure(.accessDenied, "the sign-in was denied", details: error.details)
        case .expired:
          throw OAuthFailure(.timedOut, "the code to type has expired before anybody had signed in with it", isRetryable: true)
        case .refused: throw error
        }
        pause = max(pause, error.retryAfter ?? 0)
      }
    }
  }

  private func word(_ failure: OAuthFailure) -> Word {
    switch failure.kind {
    // A network of another kind, such as a café's that wants a click first, shows itself by a wrong certificate too.
    case .networkFailure: return failure["cause"] == "libcurl" ? .refused : .unreachable
    case .timedOut: return .unreachable
    case .authorizationServerError: break
    default: return .refused
    }
    let error = failure["error"]?.string ?? ""
    switch endpoint.provider.device.deviceErrorNames[error] ?? error {
    case "authorization_pending": return .pending
    case "slow_down": return .slowDown(to: DeviceAuthorizationResponse.interval(failure["interval"]))
    case "access_denied": return .denied
    case "expired_token": return .expired
    default: return failure.isRetryable ? .unreachable : .refused
    }
  }
}
