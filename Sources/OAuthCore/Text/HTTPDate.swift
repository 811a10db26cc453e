import Jansson

/// A date in an HTTP field (RFC 9110 §5.6.7): IMF-fixdate, or the obsolete formats of RFC 850 and asctime.
package struct HTTPDate: Hashable, Sendable {
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case form
    case noSuchDay
    case noSuchTime

    package var description: String {
      switch self {
      case .form: "the date is in none of the forms of HTTP"
      case .noSuchDay: "the date is a day that the calendar doesn't have"
      case .noSuchTime: "the date has a time that the clock doesn't have"
      }
    }
  }

  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let unixSeconds: Int64

  /// `now` (Unix seconds) decides the century of a two-digit year. The weekday is not checked against the date.
  package init(_ text: String, now: Int64) throws(Failure) {
    var fields = DateFields(text)
    guard let form = fields.dayName() else { throw .form }
    let day: Int?
    let month: Int?
    var year: Int?
    var clock: (Int, Int, Int)?
    switch form {
    case .fixdate:
      day = fields.number(digits: 2...2)
      fields.skip(" ")
      month = fields.month()
      fields.skip(" ")
      year = fields.number(digits: 4...4)
      fields.skip(" ")
      clock = fields.clock()
      fields.skip(" GMT")
    case .rfc850:
      day = fields.number(digits: 2...2)
      fields.skip("-")
      month = fields.month()
      fields.skip("-")
      year = fields.number(digits: 2...2).map { Self.year(ending: $0, now: now) }
      fields.skip(" ")
      clock = fields.clock()
      fields.skip(" GMT")
    case .asctime:
      month = fields.month()
      fields.skip(" ")
      day = fields.number(digits: 2...2, isBlankPadded: true)
      fields.skip(" ")
      clock = fields.clock()
      fields.skip(" ")
      year = fields.number(digits: 4...4)
    }
    guard fields.isAtEnd, let day, let month, let year, let clock else { throw .form }
    guard (1...Self.days(inMonth: month, of: year)).contains(day) else { throw .noSuchDay }
    // 60 is a leap second (RFC 9110 §5.6.7); it counts as the first second of the next minute.
    guard clock.0 < 24, clock.1 < 60, clock.2 <= 60 else { throw .noSuchTime }
    let seconds = clock.0 * 3600 + clock.1 * 60 + clock.2
    unixSeconds = Int64(Self.daysSince1970(year, month, day)) * 86_400 + Int64(seconds)
  }

  /// Returns the year of this century that ends in these two digits. If it is over 50 years ahead, the last century's (RFC 9110 §5.6.7).
  private static func year(ending digits: Int, now: Int64) -> Int {
    // The mean Gregorian year has 31 556 952 seconds. The result is off by a day at most, and only the year is used.
    let current = 1970 + Int(now / 31_556_952)
    let year = current / 100 * 100 + digits
    return year > current + 50 ? year - 100 : year
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970-01-01 in the Gregorian calendar. Years start in March, so the leap day is the last day of a year.
  package static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    // Five months from March have 153 days. 719 469 days lie between 0000-03-01 (day 1) and 1970-01-01.
    return marchYear * 365 + leapDays + (153 * marchMonth + 2) / 5 + day - 719_469
  }
}

/// Reads the fields of an HTTP date in order. After a mismatch, `isAtEnd` stays false.
private struct DateFields {
  enum Form { case fixdate, rfc850, asctime }

  private var rest: Substring.UTF8View
  private var hasFailed = false

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty && !hasFailed }

  /// Reads the weekday, which shows the format: `Sun, `, `Sunday, ` or `Sun `.
  mutating func dayName() -> Form? {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    for name in names {
      if take("\(name), ") { return .rfc850 }
      if take("\(name.prefix(3)), ") { return .fixdate }
      if take("\(name.prefix(3)) ") { return .asctime }
    }
    return nil
  }

  /// Returns 1 for January.
  mutating func month() -> Int? {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for (index, name) in names.enumerated() where take(name) { return index + 1 }
    return nil
  }

  mutating func clock() -> (Int, Int, Int)? {
    guard let hour = number(digits: 2...2), take(":"), let minute = number(digits: 2...2), take(":") else { return nil }
    return number(digits: 2...2).map { (hour, minute, $0) }
  }

  /// Reads a decimal number with this many digits. With `isBlankPadded`, as in asctime's day, a space may replace the first digit.
  mutating func number(digits: ClosedRange<Int>, isBlankPadded: Bool = false) -> Int? {
    let width = isBlankPadded && take(" ") ? 1...1 : digits
    let found = rest.prefix(while: isASCIIDigit)
    guard width.contains(found.count) else { return nil }
    rest = rest.dropFirst(found.count)
    return Int(Substring(found))
  }

  mutating func skip(_ text: String) {
    if !take(text) { hasFailed = true }
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }
}
