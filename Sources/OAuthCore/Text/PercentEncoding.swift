import Jansson

/// Percent-encoding (RFC 3986 §2.1), in the form that OAuth 1.0 signs (RFC 5849 §3.6).
package enum PercentEncoding {
  /// Keeps the unreserved characters `A-Z a-z 0-9 - . _ ~`; every other byte of the UTF-8 becomes `%XX` with capital digits.
  package static func encode(_ text: String) -> String { encode(text.utf8) }

  package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(bytes, keeping: isUnreserved) }

  static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isKept(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Returns the decoded text; nil if an escape is broken or the bytes are not UTF-8.
  package static func decode(_ text: String) -> String? {
    guard let bytes = decode(ArraySlice(text.utf8), plusIsBlank: false) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the decoded bytes; nil if a percent sign is not followed by two hexadecimal digits.
  package static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
    var isWhole = true
    let bytes = decode(text, plusIsBlank: plusIsBlank) { isWhole = false }
    return isWhole ? bytes : nil
  }

  /// Returns the decoded bytes and keeps broken escapes as they are.
  package static func decodeLeniently(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] { decode(text, plusIsBlank: plusIsBlank) {} }

  /// Returns the decoded text. Broken escapes stay as they are, and a byte that is not UTF-8 becomes U+FFFD.
  package static func lenientText(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> String {
    String(decoding: decodeLeniently(text, plusIsBlank: plusIsBlank), as: UTF8.self)
  }

  private static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool, brokenEscape: () -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        if text.endIndex - index >= 2, let high = hexDigitValue(text[index]), let low = hexDigitValue(text[index + 1]) {
          bytes.append(high << 4 | low)
          index += 2
        } else {
          brokenEscape()
          bytes.append(byte)
        }
      } else {
        bytes.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes
  }

  package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(hexDigit(byte >> 4))
    bytes.append(hexDigit(byte & 0x0F))
  }

  /// RFC 3986 §2.3.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isASCIILetterOrDigit(byte)
    }
  }

  /// Returns a capital digit: RFC 3986 §2.1 prefers capitals, RFC 5849 §3.6 requires them.
  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }
}
