import Jansson
import OAuthCore

/// Sends requests to token endpoints at the pace that the servers ask for.
struct TokenPace: Sendable {
  var pauses = TokenPauses()
  /// Unix milliseconds.
  var milliseconds: @Sendable () -> Int = { 0 }
  var sleep: @Sendable (Int) async throws -> Void = { _ in }
  /// Seconds that a request waits for the end of a pause before it fails.
  var patience = 0
  /// Whether to ignore a pause, because the user insists.
  var overrides = false

  /// Seconds. An authorization code is not available again without the user. Its exchange therefore waits as long as one exchange may take.
  static let patienceWithCode = 30

  /// Returns the result of `read`. A failure that causes a pause has its seconds as `retryAfter`.
  func send<Answer, Value>(
    to key: TokenPauses.Key, _ exchange: () async throws(OAuthFailure) -> Answer,
    response: (Answer) -> HTTPResponse,
    read: (Answer) throws(OAuthFailure) -> Value
  ) async throws(OAuthFailure) -> Value {
    let pass = try await pass(key)
    let answer: Answer
    do throws(OAuthFailure) {
      answer = try await exchange()
    } catch {
      pauses.end(key, pass)
      throw error
    }
    do throws(OAuthFailure) {
      let value = try read(answer)
      pauses.end(key, pass)
      return value
    } catch {
      guard let seconds = pauses.begin(key, pass, error, response(answer), at: milliseconds()) else { throw error }
      var failure = error
      failure.details.append(.init("retryAfter", .integer(seconds)))
      throw failure
    }
  }

  private func pass(_ key: TokenPauses.Key) async throws(OAuthFailure) -> TokenPauses.Pass {
    var left = patience
    while true {
      do throws(OAuthFailure) {
        return try await pauses.admit(key, at: milliseconds, overriding: overrides)
      } catch {
        guard let seconds = error.retryAfter, seconds <= left else { throw error }
        left -= seconds
        guard (try? await sleep(seconds)) != nil else { throw OAuthFailure(.cancelled) }
      }
    }
  }
}

extension TokenPace {
  init(_ dependencies: Dependencies, patience: Int = 0, overrides: Bool = false) {
    self.init(
      pauses: dependencies.pauses, milliseconds: dependencies.milliseconds, sleep: dependencies.sleep, patience: patience,
      overrides: overrides)
  }
}

extension OAuthFailure {
  /// Seconds after which the server may be asked again, if it says so.
  var retryAfter: Int? { if case .integer(let seconds)? = self["retryAfter"] { seconds } else { nil } }
}
