import Jansson

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
  /// without a colon (ISO 8601). Returns nil for anything else, and for a time before 1970.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest, Self.hasForm("0000-00-00T00:00:00", bytes.prefix(Self.formLength)) else { return nil }
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) } }
    let (day, time) = ((number(0..<4), number(5..<7), number(8..<10)), (number(11..<13), number(14..<16), number(17..<19)))
    guard day.0 >= 1970, let local = HTTPDate.seconds(day, time) else { return nil }
    var rest = bytes.dropFirst(Self.formLength)
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: isASCIIDigit) }
    guard let offset = Self.offset(rest) else { return nil }
    guard UnixSeconds.instants.contains(local - offset) else { return nil }
    self.init(seconds: local - offset)
  }

  /// Bytes: a fraction of nanoseconds and a zone fit.
  private static let longest = 40
  private static let formLength = 19

  /// Returns the seconds by which a zone is ahead of UTC.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
    if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return 0 }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), hasForm("0000", digits[...]),
      zone.count == 5 || hasForm("00:00", zone.dropFirst())
    else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    guard value / 100 < 24, value % 100 < 60 else { return nil }
    return (value / 100 * 3600 + value % 100 * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Whether the text has a digit for each 0 of the form and the same byte for each other character.
  private static func hasForm(_ form: String, _ text: ArraySlice<UInt8>) -> Bool {
    text.count == form.utf8.count && zip(text, form.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? isASCIIDigit($0) : $0 == $1 }
  }
}
