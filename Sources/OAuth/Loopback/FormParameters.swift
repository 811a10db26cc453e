/// The `application/x-www-form-urlencoded` decoding of queries and form bodies (WHATWG URL 5.1), strict about UTF-8.
enum FormParameters {
  /// Names that decide a sign-in, where a second one would let two readers see different answers (RFC 6749 section 3.1).
  private static let single: Set<String> = ["code", "state", "error", "iss", "oauth_token", "oauth_verifier"]

  /// Fails with 400 for escapes that are incomplete, for bytes that aren't UTF-8 and for a repeated name that decides.
  static func decode(_ bytes: some Sequence<UInt8>) throws(LoopbackRefusal) -> [RedirectParameter] {
    var parameters: [RedirectParameter] = []
    var seen: Set<String> = []
    for piece in Array(bytes).split(separator: UInt8(ascii: "&")) {
      let equals = piece.firstIndex(of: UInt8(ascii: "="))
      let name = try text(piece[..<(equals ?? piece.endIndex)])
      let value = try equals.map { index throws(LoopbackRefusal) in try text(piece[(index + 1)...]) } ?? ""
      if single.contains(name), !seen.insert(name).inserted { throw .badRequest("\(name) is there twice") }
      parameters.append(RedirectParameter(name: name, value: value))
    }
    return parameters
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(LoopbackRefusal) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) else {
          throw .badRequest("a percent escape is incomplete")
        }
        decoded.append(high << 4 | low)
        index += 2
      case let byte: decoded.append(byte)
      }
      index += 1
    }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .badRequest("a parameter is not UTF-8") }
    return text
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
