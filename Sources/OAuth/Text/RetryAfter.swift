/// The value of `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or the instant to wait for.
package enum RetryAfter: Hashable, Sendable {
  /// Seconds from the answer's arrival.
  case delay(Int64)
  case date(HTTPDate)

  /// The longest delay told apart: greater ones are taken for it, as RFC 9111 §1.2.2 does with delta-seconds (2^31, 68 years).
  package static let longestDelay: Int64 = 2_147_483_648

  /// `now` is in Unix seconds; blanks around the value are passed over.
  package init(_ text: String, now: Int64) throws(HTTPDate.Failure) {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var value = text.drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    if !value.isEmpty, value.utf8.allSatisfy(isASCIIDigit) {
      // Digits alone fail to be an Int64 only by being too many.
      self = .delay(min(Int64(value) ?? Self.longestDelay, Self.longestDelay))
    } else {
      self = .date(try HTTPDate(String(value), now: now))
    }
  }

  /// How many seconds to wait from `now` (Unix seconds) on; 0 where the instant has passed.
  package func seconds(from now: Int64) -> Int64 {
    switch self {
    case .delay(let seconds): seconds
    case .date(let date): max(0, date.unixSeconds - now)
    }
  }
}
