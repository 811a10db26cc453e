import CPlatform
import Jansson
import Platform

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

extension Instant {
  /// Reads a date with a time and a zone, as in `2026-01-31T12:00:00Z` (RFC 3339, 5.6). A fraction of a second is ignored, and the zone may be written
  /// without a colon (ISO 8601). Fields may lack digits, as strptime(3) allows. Returns nil for other forms and for a time before 1970.
  package init?(iso8601 text: String) {
    var date = tm()
    guard !text.utf8.contains(where: { $0 <= 0x20 }),
      let rest = text.withCString({ strptime($0, "%Y-%m-%dT%H:%M:%S", &date).map { String(cString: $0) } })
    else { return nil }
    let zone = rest.hasPrefix(".") ? rest.dropFirst().drop { "0"..."9" ~= $0 } : rest[...]
    guard let offset = Self.offset(zone), let local = HTTPDate.seconds(of: date), UnixSeconds.instants.contains(local - offset)
    else { return nil }
    self.init(seconds: local - offset)
  }

  /// Returns the seconds by which a zone is ahead of UTC.
  private static func offset(_ zone: Substring) -> Int? {
    if zone == "Z" || zone == "z" { return 0 }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard zone.hasPrefix("+") || zone.hasPrefix("-"), digits.utf8.count == 4, digits.utf8.allSatisfy(isASCIIDigit), let value = Int(digits),
      value / 100 < 24, value % 100 < 60
    else { return nil }
    return (value / 100 * 3600 + value % 100 * 60) * (zone.hasPrefix("-") ? -1 : 1)
  }
}
