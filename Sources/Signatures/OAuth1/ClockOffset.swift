import OAuthCore

/// How many seconds a server's clock is ahead of ours. It corrects a timestamp that the server rejected (RFC 5849 §3.3).
package struct ClockOffset: Sendable, Equatable {
  /// Added to our time; negative if our clock is ahead.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  /// Uses the response's `Date` (RFC 9110 §6.6.1); nil without a valid one. `now` is our time when the response arrived, in Unix seconds.
  package init?(date response: HTTPResponse, now: Int64) {
    guard let text = response.header("date"), let date = HTTPDate(text, now: now) else { return nil }
    seconds = date.unixSeconds - now
  }

  /// Reads the offset from a rejection; nil if our clock does not seem to be the cause. If the server does not mention the timestamp, only an offset
  /// above `tolerance` counts.
  package init?(correcting problem: OAuth1Problem, _ response: HTTPResponse, now: Int64) {
    guard let byDate = ClockOffset(date: response, now: now), byDate.seconds != 0,
      problem.rejectsTimestamp || abs(byDate.seconds) > Self.tolerance
    else { return nil }
    self = byDate
  }

  /// Seconds. Five minutes is what servers allow: X, Google and oauthlib's own checks accept 300 to 600 seconds.
  package static let tolerance: Int64 = 300
}
