/// A moment in Unix time, in milliseconds. Whole seconds are too coarse for tokens that are valid for a few seconds.
package struct Instant: Sendable, Equatable {
  package var milliseconds: Int

  package init(milliseconds: Int) { self.milliseconds = milliseconds }
  /// Later times are limited to the last second of the year 9999: sums with an instant must fit into an integer.
  package init(seconds: Int) { milliseconds = min(max(seconds, 0), UnixSeconds.instants.upperBound) * 1000 }

  /// Whole Unix seconds, as JSON and HTTP use them.
  package var seconds: Int { milliseconds / 1000 }

  package static func + (instant: Instant, seconds: Int) -> Instant {
    Instant(milliseconds: instant.milliseconds + min(seconds, UnixSeconds.instants.upperBound) * 1000)
  }
}

/// Limits of instants in JSON and HTTP headers, in whole seconds since 1970.
package enum UnixSeconds {
  /// Up to the end of the year 9999. A later instant is a mistake or an attack, and sums with it may overflow.
  package static let instants = 0...253_402_300_799
}
