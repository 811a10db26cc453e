import Jansson

/// A URL reference as written in a `Location` header or a relative `url` (RFC 3986 §4.1), not yet resolved.
package struct URLReference {
  /// In lower case.
  package let scheme: String?
  package let authority: String?
  package let path: String
  package let query: String?
  package let fragment: String?

  package init(_ text: String) throws(URLFailure) {
    var rest = Array(text.utf8)[...]
    for byte in rest where byte <= UInt8(ascii: " ") || byte == 0x7F || byte == UInt8(ascii: "\\") {
      throw .forbiddenCharacter
    }
    fragment = Self.cut(&rest, from: UInt8(ascii: "#")).map(Self.escaped)
    query = Self.cut(&rest, from: UInt8(ascii: "?")).map(Self.escaped)

    // A scheme ends at a colon before any slash (§4.2).
    let colon = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    if let colon, rest[colon] == UInt8(ascii: ":") {
      guard let first = rest.first, isASCIILetter(first), rest[..<colon].allSatisfy(Self.isScheme) else { throw .scheme }
      scheme = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
      rest = rest[(colon + 1)...]
    } else {
      scheme = nil
    }

    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      guard rest[..<end].allSatisfy({ $0 < 0x80 }) else { throw .host }
      authority = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[end...]
    } else {
      authority = nil
    }
    path = Self.escaped(rest)
  }

  /// Removes the mark and all after it from `rest`, and returns the text after the mark.
  private static func cut(_ rest: inout ArraySlice<UInt8>, from mark: UInt8) -> ArraySlice<UInt8>? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return rest[(index + 1)...]
  }

  /// RFC 3986 §3.1.
  private static func isScheme(_ byte: UInt8) -> Bool { isASCIILetterOrDigit(byte) || "+-.".utf8.contains(byte) }

  /// Percent-encodes the bytes that a URL must not contain. `[`, `]` and a lone `%` stay, since services expect them.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
    // Most URLs need no escapes.
    if bytes.allSatisfy(isRaw) { return String(decoding: bytes, as: UTF8.self) }
    var written: [UInt8] = []
    written.reserveCapacity(bytes.count * 3)
    for byte in bytes {
      if isRaw(byte) { written.append(byte) } else { PercentEncoding.append(byte, to: &written) }
    }
    return String(decoding: written, as: UTF8.self)
  }

  /// A switch, since looking up each byte in a string takes a third of the time to parse a URL.
  private static func isRaw(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80...,
      UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: true
    }
  }
}
