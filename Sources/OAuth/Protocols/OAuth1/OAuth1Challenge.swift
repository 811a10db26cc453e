/// The `OAuth` challenge of a `WWW-Authenticate` header (RFC 5849 §3.5.1 and RFC 9110 §11.6.1).
enum OAuth1Challenge {
  /// The challenge's parameters, percent-decoded but for the realm; empty where the header has no such challenge.
  ///
  /// Lenient: what is no parameter is passed over, since the header only explains a failure that has happened anyway.
  static func parameters(_ header: String) -> [OAuth1Parameter] {
    var rest = Array(header.utf8)[...]
    var isOurs = false
    var parameters: [OAuth1Parameter] = []
    while !rest.isEmpty {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
      let word = rest.prefix { !" \t,=\"".utf8.contains($0) }
      rest = rest.dropFirst(word.count)
      let afterBlanks = rest.drop { $0 == 0x20 || $0 == 0x09 }
      if !word.isEmpty, afterBlanks.first == UInt8(ascii: "=") {
        rest = afterBlanks.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        let value = value(&rest)
        if isOurs { parameters.append(parameter(word, value)) }
      } else if !word.isEmpty {
        // A word without `=` begins the next challenge.
        isOurs = String(decoding: word, as: UTF8.self).lowercased() == "oauth"
      } else {
        rest = rest.dropFirst()
      }
    }
    return parameters
  }

  private static func parameter(_ name: ArraySlice<UInt8>, _ value: [UInt8]) -> OAuth1Parameter {
    let name = String(decoding: name, as: UTF8.self)
    if name == "realm" { return OAuth1Parameter(name, String(decoding: value, as: UTF8.self)) }
    return OAuth1Parameter(name, String(decoding: PercentEncoding.decodeLeniently(value[...], plusIsBlank: false), as: UTF8.self))
  }

  /// A quoted string without its quotes and backslashes (RFC 9110 §5.6.4), or a bare value up to the comma or blank.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    guard rest.first == UInt8(ascii: "\"") else {
      value = Array(rest.prefix { $0 != UInt8(ascii: ",") && $0 != 0x20 && $0 != 0x09 })
      rest = rest.dropFirst(value.count)
      return value
    }
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { value.append(escaped) } else { value.append(byte) }
    }
    return value
  }
}
