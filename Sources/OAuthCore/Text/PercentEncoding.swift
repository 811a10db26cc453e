import Jansson

/// Percent-encoding (RFC 3986 §2.1), in the form that OAuth 1.0 signs (RFC 5849 §3.6).
package enum PercentEncoding {
  /// Keeps the unreserved characters `A-Z a-z 0-9 - . _ ~`; every other byte of the UTF-8 becomes `%XX` with capital digits.
  package static func encode(_ text: String) -> String { encode(text.utf8) }

  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
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
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isASCIILetterOrDigit(byte)
    }
  }

  /// Returns a capital digit: RFC 3986 §2.1 prefers capitals, RFC 5849 §3.6 requires them.
  private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value }
}

/// `application/x-www-form-urlencoded` (RFC 6749 Appendix B, WHATWG URL §5): ordered pairs of names and values; a name may repeat.
package struct FormEncoding {
  /// Encodes pairs: a space becomes `+`; letters, digits and `*-._` stay; every other byte of the UTF-8 becomes `%XX`.
  package static func encode(_ pairs: [(String, String)]) -> String {
    var bytes: [UInt8] = []
    for (name, value) in pairs {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      append(name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      append(value, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes one name or value by the same rules, as RFC 6749 §2.3.1 requires for both parts of Basic credentials.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the pairs of any form: a broken escape stays as it is, and a byte that is not UTF-8 becomes U+FFFD. Ignores empty parts between
  /// `&`; a part without `=` has an empty value.
  ///
  /// Browsers do the same (WHATWG URL §5.1). A stray `%` in a redirect must not hide the `state` beside it.
  package static func decodeLeniently(_ form: String) -> [(String, String)] { decodeLeniently(Array(form.utf8)) }

  package static func decodeLeniently(_ form: [UInt8]) -> [(String, String)] {
    form.split(separator: UInt8(ascii: "&")).map { part in
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      return (
        PercentEncoding.lenientText(part[..<equals], plusIsBlank: true),
        PercentEncoding.lenientText(part[equals...].dropFirst(), plusIsBlank: true)
      )
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): bytes.append(byte)
      case _ where isASCIILetterOrDigit(byte): bytes.append(byte)
      default: PercentEncoding.append(byte, to: &bytes)
      }
    }
  }
}
