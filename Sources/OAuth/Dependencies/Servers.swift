import HTTP
import OAuthCore
import Plans
import Platform
import Signatures
import Synchronization

/// What this process has learned about servers. Nothing of it is stored: the user may correct the clock, and other processes reject replays.
package final class Servers: Sendable {
  /// Issuers' public keys.
  package let keys: IDTokenValidation.IssuerKeys
  /// The documents discovered at URLs; nil if discovery is off.
  package let discoveries: Discovery.Cache?

  private struct State {
    /// The token endpoints that asked for a pause.
    var pauses: [Endpoint: Pause] = [:]
    /// How many seconds a host's clock is ahead of ours.
    var clockOffsets: [String: Int64] = [:]
    /// The newest nonce that each origin wants in proofs (RFC 9449, 8 and 9).
    var proofNonces: [String: String] = [:]
    /// The time at which each nonce of an OpenID 2.0 provider may be forgotten, in Unix seconds.
    var nonces: [String: Int] = [:]
  }

  private let clock: Clock
  private let state = Mutex(State())
  /// When a command must have ended; nil for clients, which decide themselves when they ask again.
  let commandDeadline = Mutex<Clock.Deadline?>(nil)

  init(http: any HTTPClient, clock: Clock, discoveries: Discovery.Cache? = nil) {
    keys = IDTokenValidation.IssuerKeys(http: http, clock: clock)
    self.discoveries = discoveries
    self.clock = clock
  }

  // MARK: Clocks and nonces

  /// Returns the time of the host's clock in Unix seconds.
  func time(of host: String) -> Int64 { Int64(clock.now) + state.withLock { $0.clockOffsets[host] ?? 0 } }

  /// Whether the host rejected a timestamp that can be corrected (RFC 5849, 3.3). The next one then is.
  func correctsClock(of host: String, from problem: OAuth1Problem, _ response: HTTPResponse) -> Bool {
    correctsClock(of: host) { ClockOffset.correcting(problem, response, now: $0) }
  }

  /// Whether the host's clock differs by more seconds than an answer takes. The next assertion is then made by it.
  func correctsClock(of host: String, byDateOf response: HTTPResponse) -> Bool {
    correctsClock(of: host) { ClockOffset.byDate(of: response, now: $0).flatMap { abs($0) > 5 ? $0 : nil } }
  }

  /// Adds what `correction` returns to the host's offset. `correction` gets our time with the present offset, which may be wrong.
  private func correctsClock(of host: String, by correction: (_ now: Int64) -> Int64?) -> Bool {
    state.withLock { state in
      let offset = state.clockOffsets[host] ?? 0
      guard let more = correction(Int64(clock.now) + offset) else { return false }
      state.clockOffsets[host] = offset + more
      return true
    }
  }

  /// Whether this nonce comes from this endpoint for the first time (OpenID Authentication 2.0, 11.3).
  func isFirst(_ nonce: String, of endpoint: String, at now: Int) -> Bool {
    state.withLock { state in
      state.nonces = state.nonces.filter { $0.value > now }
      // After twice the window the nonce itself is too old, whatever the difference between the clocks.
      return state.nonces.updateValue(now + 2 * OpenIDNonce.window + 1, forKey: endpoint + "\n" + nonce) == nil
    }
  }
}

// MARK: Proofs
extension Servers {
  /// Returns the newest nonce of the URL's origin, and the seconds that its clock is ahead of ours.
  func proofTerms(of url: URLParts) -> (nonce: String?, offset: Int64) {
    state.withLock { ($0.proofNonces[url.origin], $0.clockOffsets[url.host] ?? 0) }
  }

  /// Remembers the nonce of any response (RFC 9449, 8.2), and the time of one that rejects a proof.
  func learn(from response: HTTPResponse, of url: URLParts) {
    let offset = response.rejectsProof ? ClockOffset.byDate(of: response, now: Int64(clock.now)) : nil
    state.withLock { state in
      // In bytes. The proof has the nonce, and servers reject a header of more than a few kilobytes.
      if let nonce = response.header("DPoP-Nonce"), nonce.utf8.count <= 1024 { state.proofNonces[url.origin] = nonce }
      if let offset { state.clockOffsets[url.host] = offset }
    }
  }
}

// MARK: Pauses
extension Servers {
  /// A token endpoint and a client: a server counts requests for each client.
  struct Endpoint: Hashable {
    let url: String
    let clientID: String

    /// Leaves out the query, where a description may put secrets.
    init(_ url: String, clientID: String) {
      self.url = String(url.prefix { $0 != "?" })
      self.clientID = clientID
    }
  }

  /// What a request does during a pause.
  package enum Policy {
    /// It waits at most this many seconds for the end of the pause. Otherwise it fails with the remaining seconds.
    case waits(Int)
    /// It is sent all the same, because the user insists.
    case ignored

    static let fails = Policy.waits(0)
    /// An authorization code is not available again without the user. Its exchange therefore waits as long as one exchange may take, 30 s.
    static let withCode = Policy.waits(30)
  }

  private struct Pause {
    /// The first and the longest pause in seconds if the server names no time. Each pause is twice as long as the one before.
    static let usual = 1...60
    /// Maximum pause in seconds. No server may stop a client for more than an hour.
    static let longest = 3600

    /// Unix milliseconds.
    var begin: Int
    var seconds: Int
    /// Whether the server named the seconds.
    var isNamed = false
    /// The next pause in seconds if the server names no time.
    var next: Int
    var failure: OAuthFailure
    /// Counts the pauses. Responses to requests that were sent together then cause only one.
    var number: Int

    func secondsLeft(at now: Int) -> Int {
      let left = begin + seconds * 1000 - now
      // A clock that was set back must not prolong a pause.
      return left <= seconds * 1000 ? max(0, (left + 999) / 1000) : 0
    }
  }

  /// Whether a command sends the request once more after this pause. A code may be used up after a 503. A refresh sends nothing after 20 s
  /// (`RefreshTimes`), of which the response has left some.
  private func asksAgain(after seconds: Int, _ response: HTTPResponse, left: Int, hasCode: Bool) -> Bool {
    guard let time = commandDeadline.withLock({ $0?.left }), seconds < time, seconds <= min(left, 10) else { return false }
    return response.status == 429 || response.status == 503 && !hasCode && response.header("Retry-After") != nil
  }

  /// Sends a request at the pace that the server asks for: waiting calls then do not all send requests to an overloaded one. Returns the result of
  /// `read` for the response to the exchange. A failure that causes a pause has its seconds as `retryAfter`.
  func send<Sent, Value>(
    to endpoint: Endpoint, _ policy: Policy, hasCode: Bool = false, isRepeated: Bool = false,
    _ exchange: () async throws -> (HTTPResponse, Sent), read: (HTTPResponse, Sent) throws(OAuthFailure) -> Value
  ) async throws -> Value {
    let number = try await admit(endpoint, policy)
    let deadline = clock.deadline(in: 20)
    let (response, sent) = try await exchange()
    do throws(OAuthFailure) {
      let value = try read(response, sent)
      endPause(endpoint, number)
      return value
    } catch {
      guard let seconds = pause(endpoint, number, error, response) else { throw error }
      guard !isRepeated, asksAgain(after: seconds, response, left: deadline.left, hasCode: hasCode) else { throw error.asking(seconds) }
      try await clock.sleep(seconds: seconds)
      return try await send(to: endpoint, policy, isRepeated: true, exchange, read: read)
    }
  }

  /// Lets a request through and returns the number of the last pause, or throws the server's failure with the remaining seconds as `retryAfter`.
  func admit(_ endpoint: Endpoint, _ policy: Policy = .fails) async throws -> Int {
    var waited = 0
    while true {
      guard let pause = state.withLock({ $0.pauses[endpoint] }) else { return 0 }
      let left = pause.secondsLeft(at: clock.milliseconds())
      guard left > 0, case .waits(let most) = policy else { return pause.number }
      waited += left
      guard waited <= most else { throw pause.failure.paused(seconds: left, isNamed: pause.isNamed) }
      try await clock.sleep(seconds: left)
    }
  }

  /// Begins a pause if the response asks for one, and returns its length in seconds. Any other response ends the current pause.
  func pause(_ endpoint: Endpoint, _ number: Int, _ failure: OAuthFailure, _ response: HTTPResponse) -> Int? {
    let now = clock.milliseconds()
    let named = RetryAfter.seconds(response, at: now / 1000)
    guard named != nil || [429, 503].contains(response.status) else {
      endPause(endpoint, number)
      return nil
    }
    return state.withLock { state in
      let (previous, usual) = (state.pauses[endpoint], state.pauses[endpoint]?.next ?? Pause.usual.lowerBound)
      var new = Pause(begin: now, seconds: usual, next: usual, failure: failure, number: (previous?.number ?? 0) + 1)
      if let named, named > 0 {
        (new.seconds, new.isNamed) = (min(named, Pause.longest), true)
      } else if let previous, previous.number > number {
        // The server answered several requests that were sent before the first of these responses arrived.
        return max(1, previous.secondsLeft(at: now))
      } else {
        new.next = min(usual * 2, Pause.usual.upperBound)
      }
      state.pauses[endpoint] = new
      return new.seconds
    }
  }

  /// Ends the pauses that this process has chosen, if another process has got a token of the client since.
  func wasServed(_ client: String, at time: Instant) {
    state.withLock { state in state.pauses = state.pauses.filter { $0.clientID != client || $1.isNamed || $1.begin >= time.milliseconds } }
  }

  /// Ends the pause, unless it began after the request was let through.
  func endPause(_ endpoint: Endpoint, _ number: Int) {
    state.withLock { if let last = $0.pauses[endpoint], last.number <= number { $0.pauses[endpoint] = nil } }
  }
}

extension OAuthFailure {
  /// Seconds after which the server may be asked again, if it says so.
  var retryAfter: Int? { if case .integer(let seconds)? = self["retryAfter"] { seconds } else { nil } }

  fileprivate func asking(_ seconds: Int) -> OAuthFailure {
    with(\.details, details + [.init("retryAfter", .integer(seconds))])
  }

  fileprivate func paused(seconds: Int, isNamed: Bool) -> OAuthFailure {
    var failure = asking(seconds)
    let why = isNamed ? "the authorization server asked it to wait for" : "its last one failed: it waits"
    failure.message = "the process sent no request, because \(why) another \(seconds) s: \(message)"
    failure.isRetryable = true
    return failure
  }
}
