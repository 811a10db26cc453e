/// A text without its escapes, and where each byte of it begins in the text itself.
///
/// Writers escape different characters, in digits of either case. Comparing a text without escapes finds a secret in all of these forms.
struct UnescapedText {
  private let original: [UInt8]
  private var bytes: [UInt8] = []
  /// For each escape: which byte follows it, and how many bytes all escapes until there save.
  private var savings: [(next: Int, total: Int)] = []

  /// The first bytes of escapes: of all kinds together, and of each kind alone, because a secret may contain what looks like an escape of
  /// another kind.
  static let kinds: [[UInt8]] = ["%\\&", "%", "\\", "&"].map { Array($0.utf8) }

  /// What every writer of HTML escapes.
  private static let named = [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")].map {
    (Array($0.utf8), Array($1.utf8)[0])
  }

  /// Returns nil if the text has no escape that begins with one of these bytes: `%2F` (RFC 3986, 2.1), `\\u002F`, `\\/`, `\\"` and `\\\\`
  /// (RFC 8259, 7), `&#x2F;`, `&#47;` and `&amp;` (HTML).
  init?(_ text: [UInt8], _ kind: [UInt8]) {
    guard text.contains(where: kind.contains) else { return nil }
    original = text
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let (byte, length) = kind.contains(text[index]) ? Self.escape(text[index...]) ?? (text[index], 1) : (text[index], 1)
      bytes.append(byte)
      index += length
      if length > 1 { savings.append((bytes.count, index - bytes.count)) }
    }
    guard !savings.isEmpty else { return nil }
  }

  /// Returns the original with `mark` in each place of the pattern; nil if it has none.
  func replacing(_ pattern: BytePattern, by mark: [UInt8]) -> [UInt8]? {
    let places = pattern.places(in: bytes)
    guard !places.isEmpty else { return nil }
    var result: [UInt8] = []
    var end = 0
    for place in places {
      result += original[end..<start(of: place)]
      result += mark
      end = start(of: place + pattern.bytes.count)
    }
    return result + original[end...]
  }

  /// Returns where a byte begins in the original.
  private func start(of index: Int) -> Int {
    var (low, high) = (0, savings.count)
    while low < high {
      let middle = (low + high) / 2
      if savings[middle].next <= index { low = middle + 1 } else { high = middle }
    }
    return index + (low == 0 ? 0 : savings[low - 1].total)
  }

  /// Returns the byte that the text begins with in an escape, and how many bytes the escape has.
  private static func escape(_ text: ArraySlice<UInt8>) -> (byte: UInt8, length: Int)? {
    switch text.first {
    case UInt8(ascii: "%"): return value(text.dropFirst().prefix(2), 2, radix: 16).map { ($0, 3) }
    case UInt8(ascii: "\\"):
      let rest = text.dropFirst()
      if let byte = rest.first, "/\"\\".utf8.contains(byte) { return (byte, 2) }
      guard rest.first == UInt8(ascii: "u") else { return nil }
      return ascii(rest.dropFirst().prefix(4), 4, radix: 16).map { ($0, 6) }
    case UInt8(ascii: "&"):
      let rest = text.dropFirst()
      guard rest.first == UInt8(ascii: "#") else {
        return named.first { rest.starts(with: $0.0) }.map { ($0.1, $0.0.count + 1) }
      }
      let number = text.dropFirst(2).prefix(8)
      guard let end = number.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let isHex = number.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
      let digits = isHex ? number[number.startIndex + 1..<end] : number[..<end]
      return ascii(digits, digits.count, radix: isHex ? 16 : 10).map { ($0, end + 1 - text.startIndex) }
    default: return nil
    }
  }

  /// Returns the number if it is an ASCII character, since other characters have several bytes. Tokens are ASCII (RFC 6749, A.12).
  private static func ascii(_ digits: ArraySlice<UInt8>, _ count: Int, radix: Int) -> UInt8? {
    value(digits, count, radix: radix).flatMap { $0 < 0x80 ? $0 : nil }
  }

  /// Returns the number of so many digits; nil for other characters, and for a number that is not a byte.
  private static func value(_ digits: ArraySlice<UInt8>, _ count: Int, radix: Int) -> UInt8? {
    guard digits.count == count, count > 0, let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self), radix: radix).flatMap(UInt8.init(exactly:))
  }
}
