import Jansson

extension Instant {
  /// Reads a date with a time and a zone, as in `2026-01-31T12:00:00Z` (RFC 3339, 5.6). A fraction of a second is ignored, and the zone may be written
  /// without a colon (ISO 8601). Returns nil for anything else, and for a time before 1970.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest, Self.hasForm("0000-00-00T00:00:00", bytes.prefix(Self.formLength)) else { return nil }
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year >= 1970, (1...12).contains(month), (1...HTTPDate.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    var rest = bytes.dropFirst(Self.formLength)
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: isASCIIDigit) }
    guard let offset = Self.offset(rest) else { return nil }
    let seconds = HTTPDate.daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    guard UnixSeconds.instants.contains(seconds) else { return nil }
    self.init(seconds: seconds)
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
