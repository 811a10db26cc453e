/// An assertion's `response_nonce` (OpenID Authentication 2.0, 10.1): the instant at which the provider answered, and what makes it unique.
struct OpenIDNonce: Sendable, Equatable {
  /// Seconds that it may lie in the past or in the future: an hour, which clocks that are set wrongly by hand, or to the wrong summer time, keep.
  static let window = 3600

  /// Unix seconds.
  let instant: Int

  /// nil where it is malformed: 255 characters at the most, from `!` to `~`, beginning with an instant in UTC (RFC 3339) without fractions.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (20...255).contains(bytes.count), bytes.allSatisfy({ (33...126).contains($0) }) else { return nil }
    let form = Array("0000-00-00T00:00:00Z".utf8)
    for (byte, model) in zip(bytes, form) {
      guard model == UInt8(ascii: "0") ? isASCIIDigit(byte) : byte == model else { return nil }
    }
    func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) } }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard year >= 1970, (1...12).contains(month), (1...HTTPDate.days(inMonth: month, of: year)).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    instant = HTTPDate.daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  func isFresh(at now: Int) -> Bool { abs(now - instant) <= Self.window }
}
