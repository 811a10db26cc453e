import Jansson

/// An assertion's `response_nonce` (OpenID Authentication 2.0, 10.1): when the provider answered, and a unique suffix.
package struct OpenIDNonce: Sendable, Equatable {
  /// Seconds that the instant may lie in the past or future. An hour covers clocks set by hand or with the wrong daylight saving time.
  package static let window = 3600

  /// Unix seconds.
  package let instant: Int

  /// Returns nil for an invalid nonce: it has at most 255 characters from `!` to `~` and starts with a UTC instant (RFC 3339) without fractions.
  package init?(_ text: String) {
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

  package func isFresh(at now: Int) -> Bool { abs(now - instant) <= Self.window }
}
