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

/// A date in an HTTP field (RFC 9110 §5.6.7): IMF-fixdate, or the obsolete formats of RFC 850 and asctime.
package struct HTTPDate: Hashable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let unixSeconds: Int64

  /// Returns nil for another format, or a day or time that does not exist. `now` (Unix seconds) decides the century of a two-digit year. The
  /// weekday is not checked against the date.
  package init?(_ text: String, now: Int64) {
    let weekday = text.prefix { $0.isLetter }
    guard let name = Self.weekdays.first(where: { $0.hasPrefix(weekday) }), weekday.count == 3 || weekday == name else { return nil }
    let rest = text.dropFirst(weekday.count)
    let forms = weekday.count == 3 ? [", dd mmm yyyy hh:nn:ss GMT", " mmm _d hh:nn:ss yyyy"] : [", dd-mmm-yy hh:nn:ss GMT"]
    guard let form = forms.first(where: { $0.utf8.count == rest.utf8.count && $0.utf8.first == rest.utf8.first }),
      let fields = Self.fields(of: rest, in: form), let day = fields["d"], let month = fields["m"], let digits = fields["y"],
      let hour = fields["h"], let minute = fields["n"], let second = fields["s"]
    else { return nil }
    let year = weekday.count == 3 ? digits : Self.year(ending: digits, now: now)
    guard let seconds = Self.seconds((year, month, day), (hour, minute, second)) else { return nil }
    unixSeconds = Int64(seconds)
  }

  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the numbers in a text of this form, by their letters. `mmm` is a month's name and `_` a digit or, as in asctime's day, a space.
  private static func fields(of text: Substring, in form: String) -> [Character: Int]? {
    var fields: [Character: Int] = [:]
    var month = ""
    for (byte, mark) in zip(text.utf8, form) {
      switch mark {
      case "d", "y", "h", "n", "s":
        guard isASCIIDigit(byte) else { return nil }
        fields[mark, default: 0] = fields[mark, default: 0] * 10 + Int(byte - UInt8(ascii: "0"))
      case "_":
        guard byte == UInt8(ascii: " ") || isASCIIDigit(byte) else { return nil }
        fields["d"] = byte == UInt8(ascii: " ") ? 0 : Int(byte - UInt8(ascii: "0"))
      case "m": month.unicodeScalars.append(Unicode.Scalar(byte))
      default: if byte != mark.asciiValue { return nil }
      }
    }
    fields["m"] = months.firstIndex(of: month).map { $0 + 1 }
    return fields
  }

  /// Returns the year of this century that ends in these two digits. If it is over 50 years ahead, the last century's (RFC 9110 §5.6.7).
  private static func year(ending digits: Int, now: Int64) -> Int {
    // The mean Gregorian year has 31 556 952 seconds. The result is off by a day at most, and only the year is used.
    let current = 1970 + Int(now / 31_556_952)
    let year = current / 100 * 100 + digits
    return year > current + 50 ? year - 100 : year
  }

  /// Returns the Unix seconds of a day and a time in UTC; nil if one of them does not exist.
  static func seconds(_ day: (year: Int, month: Int, day: Int), _ time: (hour: Int, minute: Int, second: Int)) -> Int? {
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(day.year - 1900), Int32(day.month - 1), Int32(day.day))
    let midnight = timegm(&date)
    // A day that does not exist has become one of another month. 60 is a leap second (RFC 9110 §5.6.7): the first second of the next minute.
    guard Int(date.tm_mon) == day.month - 1, Int(date.tm_mday) == day.day, time.hour < 24, time.minute < 60, time.second <= 60
    else { return nil }
    return midnight + time.hour * 3600 + time.minute * 60 + time.second
  }
}
