import Jansson

/// When a token ends, as its answer says it: so many seconds from then on, or an instant.
package enum TokenExpiry: Sendable, Equatable {
  case unknown
  case seconds(Int)
  /// Unix seconds.
  case instant(Int)

  /// A century, in seconds, is beyond any token's life; more would be another unit than was thought.
  private static let longest = 3_155_760_000.0
  /// Unix seconds of the year 5138: what is later was meant in milliseconds.
  private static let latest = 100_000_000_000.0

  /// A number, a number with a fraction or a numeric string; anything else does not say when, and then `usual` seconds are meant.
  init(_ json: JSON?, _ manner: AnswerManner, usually usual: Int?) {
    guard let value = Self.number(json) else {
      self = usual.map(TokenExpiry.seconds) ?? .unknown
      return
    }
    let limit = manner.expiresUnit == .absolute ? Self.latest : Self.longest * (manner.expiresUnit == .milliseconds ? 1000 : 1)
    switch (manner.expiresUnit, value) {
    case (_, 0): self = manner.expiresZero == .expired ? .seconds(0) : .unknown
    case (_, ..<0), (_, limit.nextUp...): self = .unknown
    case (.seconds, _): self = .seconds(Int(value))
    case (.milliseconds, _): self = .seconds(Int(value / 1000))
    case (.absolute, _): self = .instant(Int(value))
    }
  }

  /// In Unix seconds, where the answer came at `now`.
  package func end(from now: Int) -> Int? {
    switch self {
    case .unknown: nil
    case .seconds(let seconds): now + seconds
    case .instant(let instant): instant
    }
  }

  /// The same to the millisecond.
  func end(from now: Instant) -> Instant? {
    switch self {
    case .unknown: nil
    case .seconds(let seconds): now + seconds
    case .instant(let instant): Instant(seconds: instant)
    }
  }

  /// An instant in Unix seconds, as programs keep one as `expires_at`; in milliseconds where it would be beyond the year 9999. nil for what is none.
  static func instant(_ json: JSON?) -> Int? {
    guard let value = number(json), value > 0 else { return nil }
    let seconds = value <= lastSecond ? value : value / 1000
    return seconds <= lastSecond ? Int(seconds) : nil
  }

  private static let lastSecond = Double(UnixSeconds.instants.upperBound)

  /// However a server writes a number: as one, with a fraction, or in a string.
  static func number(_ json: JSON?) -> Double? {
    let value: Double? =
      switch json {
      case .integer(let value)?: Double(value)
      case .real(let value)?: value
      case .string(let text)?: decimal(text)
      default: nil
      }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  /// By decimal digits alone: `Double` would also take hexadecimal ones, which nobody means.
  private static func decimal(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return digits.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) } ? Double(String(digits)) : nil
  }
}
