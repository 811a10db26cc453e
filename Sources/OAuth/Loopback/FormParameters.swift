/// The `application/x-www-form-urlencoded` decoding of what comes to a redirect address, in a query or a form body (WHATWG URL 5.1).
enum FormParameters {
  /// Names that decide a sign-in, where a second one would let two readers see different answers (RFC 6749 section 3.1), and so would a broken value.
  private static let single: Set<String> = ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"]

  /// Fails with 400 where one of the names that decide is repeated, or its value has an incomplete escape or bytes that aren't UTF-8. In any other
  /// value those are read as a browser reads them: a description in Latin-1 must not hide the `error` and the `state` beside it.
  static func decode(_ bytes: some Sequence<UInt8>) throws(LoopbackRefusal) -> [RedirectParameter] {
    var parameters: [RedirectParameter] = []
    var seen: Set<String> = []
    for piece in Array(bytes).split(separator: UInt8(ascii: "&")) {
      let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
      let name = lenientText(piece[..<equals])
      let value = piece[equals...].dropFirst()
      if single.contains(name), !seen.insert(name).inserted { throw .badRequest("\(name) is there twice") }
      parameters.append(RedirectParameter(name: name, value: single.contains(name) ? try strictText(value) : lenientText(value)))
    }
    return parameters
  }

  private static func strictText(_ bytes: ArraySlice<UInt8>) throws(LoopbackRefusal) -> String {
    guard let decoded = PercentEncoding.decode(bytes, plusIsBlank: true) else { throw .badRequest("a percent escape is incomplete") }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .badRequest("a parameter is not UTF-8") }
    return text
  }

  private static func lenientText(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: PercentEncoding.decodeLeniently(bytes, plusIsBlank: true), as: UTF8.self)
  }
}
