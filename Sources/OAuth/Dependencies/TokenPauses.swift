import OAuthCore
import Platform
import Synchronization

/// Token endpoints that asked for a pause, and until when. It stops waiting calls from all sending requests to an overloaded server.
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
    /// Settled when the first request after the pause is answered.
    var trial: Promise<Void>?

    func millisecondsLeft(at now: Int) -> Int {
      let left = begin + seconds * 1000 - now
      // A clock that was set back must not prolong a pause.
      return left <= seconds * 1000 ? max(0, left) : 0
    }
  }

  /// A request's permission, with the number of the last pause.
  struct Pass {
    fileprivate let number: Int
    fileprivate let trial: Promise<Void>?
  }

  private let pauses = Mutex<[Key: Pause]>([:])

  /// Lets a request through, or throws the server's failure with the remaining seconds as `retryAfter`. After a pause one request goes first, and
  /// the others wait for its response. `overriding` lets a request through in any case.
  func admit(_ key: Key, at milliseconds: @Sendable () -> Int, overriding: Bool) async throws(OAuthFailure) -> Pass {
    while true {
      let now = milliseconds()
      let (pass, wait) = try pauses.withLock { pauses throws(OAuthFailure) -> (Pass?, Promise<Void>?) in
        guard var pause = pauses[key] else { return (Pass(number: 0, trial: nil), nil) }
        if overriding { return (Pass(number: pause.number, trial: nil), nil) }
        let left = pause.millisecondsLeft(at: now)
        guard left == 0 else { throw pause.failure.paused(seconds: (left + 999) / 1000) }
        if let trial = pause.trial { return (nil, trial) }
        let trial = Promise<Void>()
        pause.trial = trial
        pauses[key] = pause
        return (Pass(number: pause.number, trial: trial), nil)
      }
      if let pass { return pass }
      guard (try? await wait?.value()) != nil else { throw OAuthFailure(.cancelled) }
    }
  }

  /// Begins a pause if the response asks for one, and returns its length in seconds. Any other response ends the current pause.
  func begin(_ key: Key, _ pass: Pass, _ failure: OAuthFailure, _ response: HTTPResponse, at now: Int) -> Int? {
    guard let wanted = Self.wanted(response, at: now / 1000) else {
      end(key, pass)
      return nil
    }
    defer { pass.trial?.settle(.success(())) }
    return pauses.withLock { pauses in
      let known = pauses[key]
      // The server answered several requests that were sent before the first of these responses arrived.
      if let known, known.number > pass.number, wanted.isUsual { return max(1, (known.millisecondsLeft(at: now) + 999) / 1000) }
      let usual = known?.next ?? Self.usual.lowerBound
      let seconds = wanted.isUsual ? usual : wanted.seconds
      let next = wanted.isUsual ? min(usual * 2, Self.usual.upperBound) : usual
      pauses[key] = Pause(begin: now, seconds: seconds, next: next, failure: failure, number: (known?.number ?? 0) + 1)
      return seconds
    }
  }

  /// Ends the pause, unless it began after the request was let through.
  func end(_ key: Key, _ pass: Pass) {
    pauses.withLock { if let known = $0[key], known.number <= pass.number { $0[key] = nil } }
    pass.trial?.settle(.success(()))
  }

  /// Returns the pause that the response asks for; nil if it asks for none. `isUsual` means that it names no time.
  private static func wanted(_ response: HTTPResponse, at now: Int) -> (seconds: Int, isUsual: Bool)? {
    if let text = response.header("Retry-After"), let after = try? RetryAfter(text, now: Int64(now)) {
      let seconds = Int(after.seconds(from: Int64(now)))
      if seconds > 0 { return (min(seconds, longest), false) }
    } else if response.status != 429, response.status != 503 {
      return nil
    }
    return (0, true)
  }
}

extension OAuthFailure {
  fileprivate func paused(seconds: Int) -> OAuthFailure {
    var failure = self
    failure.message = "nothing was sent, because the authorization server asks to wait for \(seconds) s more: \(message)"
    failure.details.append(.init("retryAfter", .integer(seconds)))
    failure.isRetryable = true
    return failure
  }
}
