/// Percent-encoding (RFC 3986 §2.1), and the form of it that OAuth 1.0 signs (RFC 5849 §3.6).
package enum PercentEncoding {
  /// Keeps the unreserved characters `A-Z a-z 0-9 - . _ ~`; every other byte of the UTF-8 becomes `%XX` in capitals.
  package static func encode(_ text: String) -> String {
    encode(text.utf8)
  }

  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) { encoded.append(byte) } else { append(byte, to: &encoded) }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The text that the escapes stand for; nil where an escape is broken or the bytes aren't UTF-8.
  package static func decode(_ text: String) -> String? {
    guard let bytes = decode(ArraySlice(text.utf8), plusIsBlank: false) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The bytes that the escapes stand for; nil where a percent sign isn't followed by two hexadecimal digits.
  static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8]? {
    var isWhole = true
    let bytes = decode(text, plusIsBlank: plusIsBlank) { isWhole = false }
    return isWhole ? bytes : nil
  }

  /// The same, with a broken escape standing for itself.
  static func decodeLeniently(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) -> [UInt8] {
    decode(text, plusIsBlank: plusIsBlank) {}
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

  static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
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

  /// Capitals: RFC 3986 §2.1 prefers them, RFC 5849 §3.6 demands them.
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }
}

/// The value of the ASCII hexadecimal digit, of either case.
func hexDigitValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

func isASCIILetter(_ byte: UInt8) -> Bool {
  UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
}

func isASCIIDigit(_ byte: UInt8) -> Bool {
  UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
}

func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
  isASCIILetter(byte) || isASCIIDigit(byte)
}
