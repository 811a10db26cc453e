import Jansson

/// `application/x-www-form-urlencoded` (RFC 6749 Appendix B, WHATWG URL §5): ordered pairs of names and values; a name may repeat.
package struct FormEncoding {
  /// Encodes pairs: a space becomes `+`; letters, digits and `*-._` stay; every other byte of the UTF-8 becomes `%XX`.
  package static func encode(_ pairs: [(String, String)]) -> String {
    pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
  }

  /// Encodes one name or value by the same rules, as RFC 6749 §2.3.1 requires for both parts of Basic credentials.
  package static func encode(_ text: String) -> String {
    let encoded = PercentEncoding.encode(text.utf8) { isASCIILetterOrDigit($0) || "*-._ ".utf8.contains($0) }
    return String(decoding: encoded.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
  }

  /// Returns the pairs of any form: a broken escape stays as it is, and a byte that is not UTF-8 becomes U+FFFD. Ignores empty parts between
  /// `&`; a part without `=` has an empty value.
  ///
  /// Browsers do the same (WHATWG URL §5.1). A stray `%` in a redirect must not hide the `state` beside it.
  package static func decodeLeniently(_ form: String) -> [(String, String)] { decodeLeniently(Array(form.utf8)) }

  package static func decodeLeniently(_ form: [UInt8]) -> [(String, String)] {
    parts(form).map { (PercentEncoding.lenientText($0.name, plusIsBlank: true), PercentEncoding.lenientText($0.value, plusIsBlank: true)) }
  }

  /// Returns the pairs as they are encoded.
  package static func parts(_ form: some Sequence<UInt8>) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    Array(form).split(separator: UInt8(ascii: "&")).map { part in
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      return (part[..<equals], part[equals...].dropFirst())
    }
  }
}
