import Jansson

/// When a token expires, as the token response says: in a number of seconds, or at an instant.
package enum TokenExpiry: Sendable, Equatable {
  case unknown
  case seconds(Int)
  /// Unix seconds.
  case instant(Int)

  /// A century in seconds. A larger number is probably in another unit.
  private static let longest = 3_155_760_000.0
  /// Unix seconds in the year 5138. A later instant is probably in milliseconds.
  private static let latest = 100_000_000_000.0

  /// Unix seconds in 2001. A smaller number is a lifetime, of at most 31 years, and not an instant.
  package static let earliest = 1_000_000_000

  /// Reads a number, with or without a fraction, a numeric string, or an instant in ISO 8601.
  /// Without any, `instant` names the end: some providers send an instant under another name. Without it as well, a token is valid for `usual` seconds.
  package init(_ json: JSON?, orAt instant: JSON? = nil, _ options: TokenResponseOptions, usually usual: Int?) {
    guard let value = Self.number(json) else {
      let end = json?.string.flatMap(Instant.init(iso8601:))?.seconds ?? Self.instant(instant).flatMap { $0 > Self.earliest ? $0 : nil }
      let plausible = end.flatMap { Double($0) > Self.latest ? nil : $0 }
      self = plausible.map(TokenExpiry.instant) ?? usual.map(TokenExpiry.seconds) ?? .unknown
      return
    }
    switch value {
    case 0: self = options.expiresZero == .expired ? .seconds(0) : .unknown
    case ..<0, Self.longest.nextUp...: self = .unknown
    default: self = .seconds(Int(value))
    }
  }

  /// Seconds that the clock of this machine may be ahead of the provider's.
  private static let longestLag = 86_400

  /// Returns the expiry to the millisecond; `now` is when the request was sent.
  ///
  /// Some providers send Unix seconds as `expires_in`. No token is valid for decades, so a number that can be a coming instant is one.
  package func end(from now: Instant) -> Instant? {
    switch self {
    case .unknown: nil
    case .seconds(let seconds) where seconds > max(Self.earliest, now.seconds - Self.longestLag): Instant(seconds: seconds)
    case .seconds(let seconds): now + seconds
    case .instant(let instant): Instant(seconds: instant)
    }
  }

  /// Returns an instant in Unix seconds, as programs store `expires_at`: a number or ISO 8601. A number beyond the year 9999 is milliseconds.
  package static func instant(_ json: JSON?) -> Int? {
    if let instant = json?.string.flatMap(Instant.init(iso8601:)) { return instant.seconds }
    guard let value = number(json), value > 0 else { return nil }
    let seconds = value <= lastSecond ? value : value / 1000
    return seconds <= lastSecond ? Int(seconds) : nil
  }

  private static let lastSecond = Double(UnixSeconds.instants.upperBound)

  /// Returns a number that a server wrote as an integer, with a fraction, or as a string.
  package static func number(_ json: JSON?) -> Double? {
    let value: Double? =
      switch json {
      case .integer(let value)?: Double(value)
      case .real(let value)?: value
      case .string(let text)?: decimal(text)
      default: nil
      }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Accepts decimal digits only: `Double` also reads hexadecimal numbers.
  private static func decimal(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return digits.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(String(digits)) : nil
  }
}

/// When a token was issued: as its request was sent, by the clock of this machine and by the server's. A token's life counts from then.
package struct IssueTime: Sendable, Equatable {
  package let sent: Instant
  /// The same moment by the response's `Date` (RFC 9110, 6.6.1), if the two clocks differ by more than network and time servers explain.
  package let dated: Instant
  /// The seconds by which this machine's clock is ahead.
  package var lead: Int { max(0, sent.seconds - dated.seconds) }

  /// In seconds. Clocks set by the network differ by less than a minute, and a `Date` that is off by more than a day is wrong itself.
  private static let differences = 61...86_400

  package init(sent: Instant, _ response: HTTPResponse? = nil) {
    let date = response?.header("Date").flatMap { HTTPDate($0) }
    let difference = date.map { Int($0.unixSeconds) - sent.seconds } ?? 0
    (self.sent, dated) = (sent, Self.differences.contains(abs(difference)) ? sent + difference : sent)
  }
}
