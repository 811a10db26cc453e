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
    for byte in rest where byte <= UInt8(ascii: " ") || byte == 0x7F || byte == UInt8(ascii: "\\") { throw .forbiddenCharacter }
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

  /// A switch, because looking up each byte in a string is slow.
  private static func isRaw(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x80..., UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: true
    }
  }
}

/// Why a text is not a usable URL. The messages omit the URL, since it may contain a code or a token.
package enum URLFailure: Error, Equatable, Sendable, CustomStringConvertible {
  case forbiddenCharacter
  case scheme
  case noAuthority
  case userInfo
  case host
  case port
  case ambiguousPath

  package var description: String {
    switch self {
    case .forbiddenCharacter: "the URL has a control character, a blank or a backslash"
    case .scheme: "the URL doesn't begin with a scheme"
    case .noAuthority: "the URL has no host after its scheme"
    case .userInfo: "the URL has a user name with characters that don't belong there"
    case .host: "the URL's host isn't a name, an IPv4 address or an IPv6 address in brackets"
    case .port: "the URL's port isn't a number up to 65535"
    case .ambiguousPath: "the URL's path would be read as a host"
    }
  }
}

/// Resolves references (RFC 3986 §5.2), for redirects and for URLs relative to an API's base.
extension URLParts {
  /// Resolves a reference against this URL, strictly by §5.2.2: `http:g` is absolute and does not mean `g`.
  ///
  /// The result has the reference's fragment, never this URL's. It keeps this URL's user information if the reference has no authority.
  package func resolve(_ text: String) throws(URLFailure) -> URLParts {
    let reference = try URLReference(text)
    if reference.scheme != nil || reference.authority != nil {
      return try URLParts(scheme: reference.scheme ?? scheme, reference: reference, path: Self.withoutDotSegments(reference.path))
    }
    var url = self
    url.fragment = reference.fragment
    if reference.path.isEmpty {
      if let query = reference.query { url.query = query }
      return url
    }
    url.query = reference.query
    let isRooted = reference.path.utf8.first == UInt8(ascii: "/")
    url.path = Self.withoutDotSegments(isRooted ? reference.path : merged(with: reference.path))
    if !hasAuthority, url.path.utf8.starts(with: "//".utf8) { throw .ambiguousPath }
    return url
  }

  /// RFC 3986 §5.2.3.
  private func merged(with relative: String) -> String {
    if hasAuthority, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  /// Removes `.` and `..` segments in linear time (RFC 3986 §5.2.4).
  private static func withoutDotSegments(_ path: String) -> String {
    var rest = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }[...]
    while let first = rest.first, [".", ".."].contains(first) { rest.removeFirst() }
    // Each segment with the slash before it. The first one has none.
    var kept = Array(rest.prefix(1))
    rest = rest.dropFirst()
    while let segment = rest.popFirst() {
      if segment == ".." { _ = kept.popLast() }
      if ![".", ".."].contains(segment) { kept.append("/" + segment) } else if rest.isEmpty { kept.append("/") }
    }
    return kept.joined()
  }
}
