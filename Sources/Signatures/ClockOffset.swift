import OAuthCore

/// The difference between a server's clock and ours, in seconds. It corrects a timestamp that the server rejected (RFC 5849 §3.3).
package enum ClockOffset {
  /// Seconds. Five minutes is what servers allow: X, Google and oauthlib's own checks accept 300 to 600 seconds.
  package static let tolerance: Int64 = 300

  /// Returns the seconds to add to our time by the response's `Date` (RFC 9110 §6.6.1), less than 0 if our clock is ahead; nil without a valid date.
  /// `now` is our time when the response arrived, in Unix seconds.
  package static func byDate(of response: HTTPResponse, now: Int64) -> Int64? {
    response.header("date").flatMap { HTTPDate($0) }.map { $0.unixSeconds - now }
  }

  /// Returns the same for a rejection; nil if our clock is not the cause. Without a word about the timestamp, it must exceed `tolerance`.
  package static func correcting(_ problem: OAuth1Problem, _ response: HTTPResponse, now: Int64) -> Int64? {
    byDate(of: response, now: now).flatMap { $0 != 0 && (problem.rejectsTimestamp || abs($0) > tolerance) ? $0 : nil }
  }
}
