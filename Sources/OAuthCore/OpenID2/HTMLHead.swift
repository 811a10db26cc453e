import Jansson

/// The `link` and `meta` elements of a page's head, for discovery by HTML and Yadis (OpenID Authentication 2.0, 7.3.3; Yadis 1.0, 6.2.5).
///
/// Reads only the head, since visitors may have written parts of the body. As in HTML, the head ends at the first text or element that is not
/// allowed in it, even without a `body` tag.
struct HTMLHead: Sendable, Equatable {
  /// Names in lower case, values with their character references decoded.
  package private(set) var elements: [(name: String, attributes: [String: String])] = []

  private static let allowed: Set<String> = [
    "html", "head", "base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script", "style", "template", "title",
  ]
  /// Elements whose content is not markup, or not part of the document.
  private static let opaque: Set<String> = ["script", "style", "title", "template", "noframes"]

  init(_ page: [UInt8]) {
    var rest = page[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while true {
      rest = rest.drop(while: Self.isSpace)
      guard rest.popFirst() == UInt8(ascii: "<") else { return }
      if rest.starts(with: "!--".utf8) {
        rest = Self.after("-->", in: rest.dropFirst(3))
      } else if rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "?") {
        rest = Self.after(">", in: rest)
      } else if rest.first == UInt8(ascii: "/") {
        let name = Self.name(&rest, from: 1)
        guard Self.allowed.contains(name), name != "head", name != "html" else { return }
        rest = Self.after(">", in: rest)
      } else {
        let name = Self.name(&rest, from: 0)
        guard Self.allowed.contains(name), let attributes = Self.attributes(&rest) else { return }
        if name == "link" || name == "meta" { elements.append((name, attributes)) }
        if Self.opaque.contains(name) { rest = Self.afterEnd(of: name, in: rest) }
      }
    }
  }

  /// Returns the URL of the first link with this relation; `rel` may contain several relations, in any case.
  package func link(_ relation: String) -> String? {
    elements.first { element in
      element.name == "link" && element.attributes["href"] != nil
        && (element.attributes["rel"] ?? "").split(whereSeparator: \.isWhitespace).contains { $0.lowercased() == relation }
    }.flatMap { Self.trimmed($0.attributes["href"]) }
  }

  /// Returns the content of the first `meta` element for this header.
  package func header(_ name: String) -> String? {
    elements.first { $0.name == "meta" && $0.attributes["http-equiv"]?.lowercased() == name.lowercased() }
      .flatMap { Self.trimmed($0.attributes["content"]) }
  }

  package static func == (a: HTMLHead, b: HTMLHead) -> Bool {
    a.elements.elementsEqual(b.elements) { $0.name == $1.name && $0.attributes == $1.attributes }
  }

  /// Returns a value without white space around it; nil if nothing is left.
  private static func trimmed(_ value: String?) -> String? { value.flatMap { $0.trimmed.isEmpty ? nil : String($0.trimmed) } }

  private static func isSpace(_ byte: UInt8) -> Bool { XMLReader.isSpace(byte) || byte == 0x0C }

  private static func name(_ rest: inout ArraySlice<UInt8>, from offset: Int) -> String {
    let name = rest.dropFirst(offset).prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    rest = rest[name.endIndex...]
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Reads the attributes and the `>`. For a repeated name, the first one counts (HTML, 13.2.5.33). Returns nil if the tag has no end.
  private static func attributes(_ rest: inout ArraySlice<UInt8>) -> [String: String]? {
    var attributes: [String: String] = [:]
    while true {
      rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: "/") }
      guard let first = rest.first else { return nil }
      if first == UInt8(ascii: ">") {
        rest = rest.dropFirst()
        return attributes
      }
      let name = rest.prefix { !isSpace($0) && !"=>/".utf8.contains($0) || $0 == UInt8(ascii: "=") && rest.first == $0 }
      rest = rest[name.endIndex...].drop(while: isSpace)
      var value: ArraySlice<UInt8> = []
      if rest.first == UInt8(ascii: "="), !name.isEmpty {
        rest = rest.dropFirst().drop(while: isSpace)
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = rest.dropFirst().prefix { $0 != quote }
          guard value.endIndex < rest.endIndex else { return nil }
          rest = rest[(value.endIndex + 1)...]
        } else {
          value = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ">") }
          rest = rest[value.endIndex...]
        }
      }
      let key = String(decoding: name, as: UTF8.self).lowercased()
      if attributes[key] == nil { attributes[key] = text(value) }
    }
  }

  /// Decodes XML's character references. Others stay as they are, such as a stray `&` in a URL's query.
  private static func text(_ value: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var rest = value
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let decoded = try? XMLReader.decoded(rest[...end])
      {
        result += decoded
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the text after the mark; empty if there is no mark.
  private static func after(_ mark: String, in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let mark = Array(mark.utf8)
    var index = rest.startIndex
    while let found = rest[index...].firstIndex(of: mark[0]) {
      if rest[found...].starts(with: mark) { return rest[(found + mark.count)...] }
      index = found + 1
    }
    return []
  }

  private static func afterEnd(of name: String, in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var index = rest.startIndex
    while let found = rest[index...].firstIndex(of: UInt8(ascii: "<")) {
      let tail = rest[(found + 1)...]
      if tail.first == UInt8(ascii: "/"),
        tail.dropFirst().prefix(name.utf8.count).map({ isASCIILetter($0) ? $0 | 0x20 : $0 }) == Array(name.utf8)
      {
        return after(">", in: tail)
      }
      index = found + 1
    }
    return []
  }
}
