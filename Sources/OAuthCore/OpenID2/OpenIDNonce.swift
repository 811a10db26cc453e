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
    // Without a fraction, the instant has 20 bytes.
    guard let instant = Instant(iso8601: String(text.prefix(20))), bytes[19] == UInt8(ascii: "Z") else { return nil }
    self.instant = instant.seconds
  }

  package func isFresh(at now: Int) -> Bool { abs(now - instant) <= Self.window }
}
