/// How far a server's clock is ahead of ours, in seconds: what a refused timestamp (RFC 5849 §3.3) is corrected by.
package struct ClockOffset: Sendable, Equatable {
  /// What is added to our time; negative where ours is ahead.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  /// By the answer's `Date` (RFC 9110 §6.6.1); nil without one. `now` is our time at the answer's arrival, in Unix seconds.
  package init?(date response: HTTPResponse, now: Int64) throws(HTTPDate.Failure) {
    guard let text = response.header("date") else { return nil }
    seconds = try HTTPDate(text, now: now).unixSeconds - now
  }

  /// What a refusal says of our clock; nil where nothing in it shows that the clock is to blame.
  ///
  /// Where the timestamps that would have been taken are named, the `Date` has to lie among them, else their middle counts. Where the
  /// server doesn't speak of the timestamp at all, only a clock that is off by more than `tolerance` is to blame.
  package init?(correcting problem: OAuth1Problem, _ response: HTTPResponse, now: Int64) {
    let byDate: ClockOffset?
    do throws(HTTPDate.Failure) {
      byDate = try ClockOffset(date: response, now: now)
    } catch {
      // A date that cannot be read says as much as none.
      byDate = nil
    }
    if let acceptable = problem.acceptableTimestamps {
      if acceptable.contains(now) { return nil }
      if let byDate, acceptable.contains(now + byDate.seconds) {
        self = byDate
      } else {
        seconds = acceptable.lowerBound + (acceptable.upperBound - acceptable.lowerBound) / 2 - now
      }
    } else if let byDate, byDate.seconds != 0, problem.refusesTimestamp || abs(byDate.seconds) > Self.tolerance {
      self = byDate
    } else {
      return nil
    }
  }

  /// Five minutes, which is what servers allow for (X, Google and oauthlib's own checks take 300 to 600 seconds).
  package static let tolerance: Int64 = 300
}
