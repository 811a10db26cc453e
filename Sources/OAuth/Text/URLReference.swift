/// A URL or a part of one as it is written in a `Location` or a relative `url` (RFC 3986 §4.1), not yet resolved.
struct URLReference {
  /// In lower case.
  let scheme: String?
  let authority: String?
  let path: String
  let query: String?
  let fragment: String?

  init(_ text: String) throws(URLFailure) {
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

  /// Takes the mark and all after it off `rest`, and gives what comes after the mark.
  private static func cut(_ rest: inout ArraySlice<UInt8>, from mark: UInt8) -> ArraySlice<UInt8>? {
    guard let index = rest.firstIndex(of: mark) else { return nil }
    defer { rest = rest[..<index] }
    return rest[(index + 1)...]
  }

  /// RFC 3986 §3.1.
  private static func isScheme(_ byte: UInt8) -> Bool {
    isASCIILetterOrDigit(byte) || "+-.".utf8.contains(byte)
  }

  /// The bytes with those percent-encoded that no URL may hold raw; `[`, `]` and a lone `%` stay, as services are used to them.
  private static func escaped(_ bytes: ArraySlice<UInt8>) -> String {
    // Nearly every URL is as it should be already.
    if bytes.allSatisfy(isRaw) { return String(decoding: bytes, as: UTF8.self) }
    var written: [UInt8] = []
    written.reserveCapacity(bytes.count * 3)
    for byte in bytes {
      if isRaw(byte) { written.append(byte) } else { PercentEncoding.append(byte, to: &written) }
    }
    return String(decoding: written, as: UTF8.self)
  }

  /// A switch, since looking a byte up in a string costs a third of taking a URL apart.
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
