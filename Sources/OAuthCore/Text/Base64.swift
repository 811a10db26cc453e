import Jansson

/// Base64 (RFC 4648): §4 with padding for bodies and Basic credentials, §5 without padding for PKCE, JWT and `state`.
package enum Base64 {
  /// The text is not valid base64.
  package struct Failure: Error, Equatable {}

  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, standard, isPadded: true) }

  /// Encodes with the URL-safe alphabet and without padding.
  package static func encodeURL(_ bytes: [UInt8]) -> String { encode(bytes, urlSafe, isPadded: false) }

  private static func encode(_ bytes: [UInt8], _ alphabet: StaticString, isPadded: Bool) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { write(bytes, into: $0, alphabet: alphabet, isPadded: isPadded) }
  }

  /// Decodes strictly: requires padding, rejects line ends and stray bits (RFC 4648 §3.1, §3.2, §3.5).
  package static func decode(_ text: String) throws(Failure) -> [UInt8] { try decode(Array(text.utf8)) }

  package static func decode(_ text: [UInt8]) throws(Failure) -> [UInt8] {
    var digits = text[...]
    guard digits.count % 4 == 0 else { throw Failure() }
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    if digits.contains(UInt8(ascii: "=")) { throw Failure() }
    return try decode(digits, plus: UInt8(ascii: "+"), slash: UInt8(ascii: "/"))
  }

  /// Decodes strictly: accepts only the URL-safe alphabet, without padding (RFC 7515 §2).
  package static func decodeURL(_ text: String) throws(Failure) -> [UInt8] {
    if text.utf8.contains(UInt8(ascii: "=")) { throw Failure() }
    return try decode(Array(text.utf8)[...], plus: UInt8(ascii: "-"), slash: UInt8(ascii: "_"))
  }

  private static let standard: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  private static let urlSafe: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  private static func write(
    _ bytes: [UInt8], into output: UnsafeMutableBufferPointer<UInt8>, alphabet: StaticString, isPadded: Bool
  ) -> Int {
    guard let target = output.baseAddress else { return 0 }
    let digits = alphabet.utf8Start
    return bytes.withUnsafeBufferPointer { input in
      var index = 0
      var count = 0
      while index + 3 <= input.count {
        let group = Int(input[index]) << 16 | Int(input[index + 1]) << 8 | Int(input[index + 2])
        target[count] = digits[group >> 18]
        target[count + 1] = digits[group >> 12 & 63]
        target[count + 2] = digits[group >> 6 & 63]
        target[count + 3] = digits[group & 63]
        index += 3
        count += 4
      }
      let rest = input.count - index
      guard rest > 0 else { return count }
      let group = Int(input[index]) << 16 | (rest == 2 ? Int(input[index + 1]) << 8 : 0)
      let length = isPadded ? 4 : rest + 1
      for place in 0..<length { target[count + place] = place > rest ? UInt8(ascii: "=") : digits[group >> (18 - 6 * place) & 63] }
      return count + length
    }
  }

  private static func decode(_ digits: ArraySlice<UInt8>, plus: UInt8, slash: UInt8) throws(Failure) -> [UInt8] {
    guard digits.count % 4 != 1 else { throw Failure() }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var bits = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
      case plus: value = 62
      case slash: value = 63
      default: throw Failure()
      }
      group = group << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    guard group & (1 << UInt32(bits) - 1) == 0 else { throw Failure() }
    return bytes
  }
}

/// Two digits for each byte (RFC 4648, 8).
package enum Hexadecimal {
  /// Returns digits in lower case.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
  }

  /// Returns nil for a text that is not pairs of hexadecimal digits.
  package static func decode(_ text: String) -> [UInt8]? {
    let values = text.utf8.compactMap(hexDigitValue)
    guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
