import Jansson
import Synchronization

/// Which token endpoints have asked to be left alone, and until when: a server that is overloaded gets no request from every call that waits.
final class TokenPauses: Sendable {
  /// A server counts requests for each client.
  struct Key: Hashable {
    let endpoint: String
    let clientID: String

    /// Without the query, where a description may put secrets.
    init(_ endpoint: String, _ client: Client) {
      self.endpoint = String(endpoint.prefix { $0 != "?" })
      clientID = client.id
    }
  }

  /// Seconds of the first and of the longest pause where the server gives no time; each pause is twice the one before.
  private static let usual = 1...60
  /// Seconds: no server may stop a client for longer than an hour.
  private static let longest = 3600

  private struct Pause {
    /// Unix milliseconds.
    var begin: Int
    var seconds: Int
    /// The next pause without a given time, in seconds.
    var next: Int
    var failure: OAuthFailure
    /// Counts the pauses, so that answers to requests that were sent together make one.
    var number: Int
    /// Settled when the one request is answered that is sent after the pause.
    var trial: Promise<Void>?

    func millisecondsLeft(at now: Int) -> Int {
      let left = begin + seconds * 1000 - now
      // A clock that was set back must not prolong a pause.
      return left <= seconds * 1000 ? max(0, left) : 0
    }
  }

  /// What a request was let through with.
  struct Pass {
    fileprivate let number: Int
    fileprivate let trial: Promise<Void>?
  }

  private let pauses = Mutex<[Key: Pause]>([:])

  /// Lets a request through, or throws what the server answered, with the seconds that are left as `retryAfter`. After a pause one request goes first, and
  /// the others wait for its answer. `overriding` lets a request through in any case.
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

  /// Begins a pause where the answer asks for one; the result is its length in seconds. Any other answer ends the pause there was.
  func begin(_ key: Key, _ pass: Pass, _ failure: OAuthFailure, _ response: HTTPResponse, at now: Int) -> Int? {
    guard let wanted = Self.wanted(response, at: now / 1000) else {
      end(key, pass)
      return nil
    }
    defer { pass.trial?.settle(.success(())) }
    return pauses.withLock { pauses in
      let known = pauses[key]
      // The server answered several requests that were sent before the first of these answers came.
      if let known, known.number > pass.number, wanted.isUsual { return max(1, (known.millisecondsLeft(at: now) + 999) / 1000) }
      let usual = known?.next ?? Self.usual.lowerBound
      let seconds = wanted.isUsual ? usual : wanted.seconds
      let next = wanted.isUsual ? min(usual * 2, Self.usual.upperBound) : usual
      pauses[key] = Pause(begin: now, seconds: seconds, next: next, failure: failure, number: (known?.number ?? 0) + 1)
      return seconds
    }
  }

  /// Ends the pause, unless it has begun since the request was let through.
  func end(_ key: Key, _ pass: Pass) {
    pauses.withLock { if let known = $0[key], known.number <= pass.number { $0[key] = nil } }
    pass.trial?.settle(.success(()))
  }

  /// What the answer asks for; nil where it asks for no pause, and `isUsual` where it gives no time.
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
