import Jansson

/// The header `Retry-After` (RFC 9110 §10.2.3): a number of seconds, or a date.
package enum RetryAfter {
  /// Seconds. A longer delay is capped to this value, as RFC 9111 §1.2.2 does with delta-seconds (2^31, 68 years).
  private static let longestDelay = 2_147_483_648

  /// Returns how many seconds to wait from `now` (Unix seconds): 0 if the date has passed, nil without a valid header.
  package static func seconds(_ response: HTTPResponse, at now: Int) -> Int? {
    guard let value = response.header("Retry-After")?.trimmed else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy(isASCIIDigit) {
      // A text of digits fails to be an Int only if the number is too large.
      return min(Int(value) ?? longestDelay, longestDelay)
    }
    return HTTPDate(String(value)).map { max(0, Int($0.unixSeconds) - now) }
  }
}
