/// A moment in Unix time, to the millisecond: tokens of a few seconds are too short for whole ones.
package struct Instant: Sendable, Equatable {
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }
  /// What lies beyond the year 9999 counts as its last second: sums with an instant must fit into an integer.
  package init(seconds: Int) { milliseconds = min(max(seconds, 0), UnixSeconds.instants.upperBound) * 1000 }

  /// Whole Unix seconds, as JSON and HTTP have them.
  package var seconds: Int { milliseconds / 1000 }

  static func + (instant: Instant, seconds: Int) -> Instant {
    Instant(milliseconds: instant.milliseconds + min(seconds, UnixSeconds.instants.upperBound) * 1000)
  }
}
