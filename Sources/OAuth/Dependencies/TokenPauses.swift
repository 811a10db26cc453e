import OAuthCore
import Platform
import Synchronization

/// Sends requests to token endpoints at the pace that the servers ask for.
///
/// It knows which endpoints asked for a pause, and until when. It stops waiting calls from all sending requests to an overloaded server.
final class TokenPauses: Sendable {
  /// An endpoint and a client: a server counts requests for each client.
  struct Key: Hashable {
    let endpoint: String
    let clientID: String

    /// Leaves out the query, where a description may put secrets.
    init(_ endpoint: String, _ client: Client) {
      self.endpoint = String(endpoint.prefix { $0 != "?" })
      clientID = client.id
    }
  }

  /// What a request does during a pause.
  enum Policy: Equatable {
    /// It fails with the remaining seconds.
    case fails
    /// It waits this many seconds for the end of a pause before it fails.
    case waits(Int)
    /// It is sent all the same, because the user insists.
    case ignored

    /// An authorization code is not available again without the user. Its exchange therefore waits as long as one exchange may take, 30 s.
    static let withCode = Policy.waits(30)
  }

  /// The first and the longest pause in seconds if the server names no time. Each pause is twice as long as the one before.
  private static let usual = 1...60
  /// Maximum pause in seconds. No server may stop a client for more than an hour.
  private static let longest = 3600

  private struct Pause {
    /// Unix milliseconds.
    var begin: Int
    var seconds: Int
    /// The next pause in seconds if the server names no time.
    var next: Int
    var failure: OAuthFailure
    /// Counts the pauses. Responses to requests that were sent together then cause only one.
    var number: Int

    func millisecondsLeft(at now: Int) -> Int {
      let left = begin + seconds * 1000 - now
      // A clock that was set back must not prolong a pause.
      return left <= seconds * 1000 ? max(0, left) : 0
    }
  }

  private let pauses = Mutex<[Key: Pause]>([:])

  /// Returns the result of `read` for the response to the exchange. A failure that causes a pause has its seconds as `retryAfter`.
  func send<Sent, Value>(
    to key: Key, _ policy: Policy, _ clock: Clock, _ exchange: () async throws -> (HTTPResponse, Sent),
    read: (HTTPResponse, Sent) throws(OAuthFailure) -> Value
  ) async throws -> Value {
    let number = try await admit(key, policy, clock)
    let (response, sent) = try await exchange()
    do throws(OAuthFailure) {
      let value = try read(response, sent)
      end(key, number)
      return value
    } catch {
      guard let seconds = begin(key, number, error, response, at: clock.milliseconds()) else { throw error }
      var failure = error
      failure.details.append(.init("retryAfter", .integer(seconds)))
      throw failure
    }
  }

  private func admit(_ key: Key, _ policy: Policy, _ clock: Clock) async throws -> Int {
    guard case .waits(var left) = policy else { return try admit(key, clock, ignoring: policy == .ignored) }
    while true {
      do throws(OAuthFailure) {
        return try admit(key, clock)
      } catch {
        guard let seconds = error.retryAfter, seconds <= left else { throw error }
        left -= seconds
        try await clock.sleep(seconds: seconds)
      }
    }
  }

  /// Lets a request through and returns the number of the last pause, or throws the server's failure with the remaining seconds as `retryAfter`.
  func admit(_ key: Key, _ clock: Clock, ignoring: Bool = false) throws(OAuthFailure) -> Int {
    guard let pause = pauses.withLock({ $0[key] }) else { return 0 }
    let left = pause.millisecondsLeft(at: clock.milliseconds())
    guard left == 0 || ignoring else { throw pause.failure.paused(seconds: (left + 999) / 1000) }
    return pause.number
  }

  /// Begins a pause if the response asks for one, and returns its length in seconds. Any other response ends the current pause.
  func begin(_ key: Key, _ number: Int, _ failure: OAuthFailure, _ response: HTTPResponse, at now: Int) -> Int? {
    guard let wanted = Self.wanted(response, at: now / 1000) else {
      end(key, number)
      return nil
    }
    return pauses.withLock { pauses in
      let known = pauses[key]
      // The server answered several requests that were sent before the first of these responses arrived.
      if let known, known.number > number, wanted.isUsual { return max(1, (known.millisecondsLeft(at: now) + 999) / 1000) }
      let usual = known?.next ?? Self.usual.lowerBound
      let seconds = wanted.isUsual ? usual : wanted.seconds
      let next = wanted.isUsual ? min(usual * 2, Self.usual.upperBound) : usual
      pauses[key] = Pause(begin: now, seconds: seconds, next: next, failure: failure, number: (known?.number ?? 0) + 1)
      return seconds
    }
  }

  /// Ends the pause, unless it began after the request was let through.
  func end(_ key: Key, _ number: Int) {
    pauses.withLock { if let known = $0[key], known.number <= number { $0[key] = nil } }
  }

  /// Returns the pause that the response asks for; nil if it asks for none. `isUsual` means that it names no time.
  private static func wanted(_ response: HTTPResponse, at now: Int) -> (seconds: Int, isUsual: Bool)? {
    if let seconds = RetryAfter.seconds(response, at: now) {
      if seconds > 0 { return (min(seconds, longest), false) }
    } else if response.status != 429, response.status != 503 {
      return nil
    }
    return (0, true)
  }
}

extension OAuthFailure {
  /// Seconds after which the server may be asked again, if it says so.
  var retryAfter: Int? { if case .integer(let seconds)? = self["retryAfter"] { seconds } else { nil } }

  fileprivate func paused(seconds: Int) -> OAuthFailure {
    var failure = self
    failure.message = "the process sent no request, because the authorization server asked it to wait for another \(seconds) s: \(message)"
    failure.details.append(.init("retryAfter", .integer(seconds)))
    failure.isRetryable = true
    return failure
  }
}
