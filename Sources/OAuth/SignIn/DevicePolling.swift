import OAuthCore
import Platform

/// Polls the token endpoint with a device code until the user has approved or denied the sign-in (RFC 8628, 3.4 and 3.5).
struct DevicePolling: Sendable {
  let endpoint: TokenEndpoint
  let request: TokenRequest
  /// Seconds.
  let interval: Int
  let clock: Clock

  /// Seconds added permanently at every `slow_down` (RFC 8628, 3.5).
  private static let slowdown = 5
  /// Maximum pause in seconds between two requests to a server that cannot be reached. A longer pause would delay a user who has approved.
  private static let longestPause = 60

  /// The meaning of a response without a token.
  private enum Word {
    case pending
    case slowDown(to: Int?)
    case denied, expired
    /// The failure may be temporary.
    case unreachable
    case refused
  }

  /// Returns the tokens. Throws when the provider denies the sign-in, or `CancellationError` when no caller waits any more.
  /// If the server cannot be reached, polling continues with a doubled pause.
  func tokens() async throws -> TokenResponse {
    var endpoint = endpoint
    var interval = interval
    var pause = interval
    while true {
      try await clock.sleep(seconds: pause)
      do {
        return try await endpoint.askAgain(request)
      } catch let error as OAuthFailure {
        switch word(error) {
        case .pending: pause = interval
        case .slowDown(let named):
          interval = max(interval + Self.slowdown, named ?? 0)
          pause = interval
        case .unreachable: pause = max(interval, min(pause * 2, Self.longestPause))
        case .denied: throw OAuthFailure(.accessDenied, "the sign-in was denied", details: error.details)
        case .expired:
          throw OAuthFailure(.timedOut, "the code to type expired before the user signed in", isRetryable: true)
        case .refused: throw error
        }
        pause = max(pause, error.retryAfter ?? 0)
      }
    }
  }

  private func word(_ failure: OAuthFailure) -> Word {
    switch failure.kind {
    // A captive portal, such as a café's that needs a click first, also causes a certificate error.
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
