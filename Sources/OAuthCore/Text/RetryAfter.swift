import Jansson

/// The value of `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.
package enum RetryAfter: Hashable, Sendable {
  /// Seconds after the response arrives.
  case delay(Int64)
  case date(HTTPDate)

  /// Seconds. A longer delay is capped to this value, as RFC 9111 §1.2.2 does with delta-seconds (2^31, 68 years).
  package static let longestDelay: Int64 = 2_147_483_648

  /// `now` is in Unix seconds. Ignores spaces and tabs around the value.
  package init(_ text: String, now: Int64) throws(HTTPDate.Failure) {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var value = text.drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    if !value.isEmpty, value.utf8.allSatisfy(isASCIIDigit) {
      // A text of digits fails to be an Int64 only if the number is too large.
      self = .delay(min(Int64(value) ?? Self.longestDelay, Self.longestDelay))
    } else {
      self = .date(try HTTPDate(String(value), now: now))
    }
  }

  /// Returns how many seconds to wait from `now` (Unix seconds); 0 if the date has passed.
  package func seconds(from now: Int64) -> Int64 {
    switch self {
    case .delay(let seconds): seconds
    case .date(let date): max(0, date.unixSeconds - now)
    }
  }
}
