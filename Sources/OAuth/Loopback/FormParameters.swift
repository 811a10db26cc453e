import OAuthCore

/// Decodes the `application/x-www-form-urlencoded` query or form of a redirect (WHATWG URL 5.1).
enum FormParameters {
  /// Names that decide a sign-in. With a repeated name or a broken value, two parsers could see different responses (RFC 6749 section 3.1).
  private static let single: Set<String> = ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"]

  /// Rejects with 400 a repeated name of that list, and an incomplete escape or invalid UTF-8 in its value.
  /// Other values are decoded leniently, as browsers do: a description in Latin-1 must not hide `error` and `state`.
  static func decode(_ bytes: some Sequence<UInt8>) throws(LoopbackRejection) -> [RedirectParameter] {
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

  private static func strictText(_ bytes: ArraySlice<UInt8>) throws(LoopbackRejection) -> String {
    guard let decoded = PercentEncoding.decode(bytes, plusIsBlank: true) else { throw .badRequest("a percent escape is incomplete") }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .badRequest("a parameter is not UTF-8") }
    return text
  }

  private static func lenientText(_ bytes: ArraySlice<UInt8>) -> String {
    PercentEncoding.lenientText(bytes, plusIsBlank: true)
  }
}
