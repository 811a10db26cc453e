/// `application/x-www-form-urlencoded` (RFC 6749 Appendix B, WHATWG URL §5): ordered pairs of names and values, a name may repeat.
package struct FormEncoding {
  /// Why a form can't be decoded strictly.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case brokenEscape
    case invalidUTF8

    package var description: String {
      switch self {
      case .brokenEscape: "the form has a percent sign without two hexadecimal digits"
      case .invalidUTF8: "the form has a name or value that isn't UTF-8"
      }
    }
  }

  /// Space becomes `+`; letters, digits and `*-._` stay; every other byte of the UTF-8 becomes `%XX`.
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

  /// One name or value by the same rules, as RFC 6749 §2.3.1 wants the two halves of a client's Basic credentials.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The pairs of a form; empty parts between `&` are passed over, a part without `=` is a name with an empty value.
  package static func decode(_ form: String) throws(Failure) -> [(String, String)] {
    try decode(Array(form.utf8))
  }

  package static func decode(_ form: [UInt8]) throws(Failure) -> [(String, String)] {
    var pairs: [(String, String)] = []
    for (name, value) in split(form) {
      pairs.append((try decodeStrictly(name), try decodeStrictly(value)))
    }
    return pairs
  }

  /// The pairs of a form whatever it holds: a broken escape stands for itself, a byte that isn't UTF-8 becomes U+FFFD.
  ///
  /// What browsers do (WHATWG URL §5.1): a stray `%` in a redirect shall not hide the `state` beside it.
  package static func decodeLeniently(_ form: String) -> [(String, String)] {
    decodeLeniently(Array(form.utf8))
  }

  package static func decodeLeniently(_ form: [UInt8]) -> [(String, String)] {
    split(form).map { name, value in
      (
        String(decoding: PercentEncoding.decodeLeniently(name, plusIsBlank: true), as: UTF8.self),
        String(decoding: PercentEncoding.decodeLeniently(value, plusIsBlank: true), as: UTF8.self)
      )
    }
  }

  private static func split(_ form: [UInt8]) -> [(ArraySlice<UInt8>, ArraySlice<UInt8>)] {
    form.split(separator: UInt8(ascii: "&")).map { part in
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return (part, []) }
      return (part[..<equals], part[(equals + 1)...])
    }
  }

  private static func decodeStrictly(_ part: ArraySlice<UInt8>) throws(Failure) -> String {
    guard let bytes = PercentEncoding.decode(part, plusIsBlank: true) else { throw .brokenEscape }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidUTF8 }
    return text
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
