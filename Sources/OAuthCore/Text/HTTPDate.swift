import Jansson
import Platform

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
