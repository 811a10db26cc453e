import Jansson

/// Parses the XML form in which Foundation's `NSDictionary` writes itself to a file. Supports what a token response needs.
package enum PropertyList {
  /// Why a property list cannot be read. The text is never quoted.
  package enum Fault: Error, CustomStringConvertible {
    case binary
    case malformed

    package var description: String {
      switch self {
      case .binary: "is a binary property list; `plutil -convert xml1` makes one that can be read"
      case .malformed: "is not a property list with a dictionary"
      }
    }
  }

  /// Returns the members of the outermost dictionary that are strings, integers or booleans. Ignores deeper ones.
  package static func dictionary(_ document: [UInt8]) throws(Fault) -> [JSON.Member] {
    if document.starts(with: "bplist".utf8) || document.starts(with: "YnBsaXN0".utf8) { throw .binary }
    var path: [String] = []
    var members: [JSON.Member]?
    var key: String?
    // Each piece is a tag without its bracket, and the text up to the next tag.
    for piece in document.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
      guard let end = piece.firstIndex(of: UInt8(ascii: ">")) else { throw .malformed }
      let tag = String(decoding: piece[..<end], as: UTF8.self)
      if path.isEmpty, tag.hasPrefix("?xml") || tag.hasPrefix("!DOCTYPE plist") { continue }
      if tag.hasPrefix("/") {
        guard path.popLast() == String(tag.dropFirst()) else { throw .malformed }
        continue
      }
      let name = String(tag.prefix { $0 != " " && $0 != "/" })
      if path == ["plist", "dict"] {
        let text = try unescaped(piece[(end + 1)...])
        if name == "key" {
          key = text
        } else if let named = key {
          if let value = value(name, text) { members?.append(.init(named, value)) }
          key = nil
        }
      }
      if !tag.hasSuffix("/") { path.append(name) }
      if (path == ["plist", "dict"] || (path == ["plist"] && tag == "dict/")) && members == nil { members = [] }
    }
    guard let members, path.isEmpty else { throw .malformed }
    return members
  }

  private static func value(_ name: String, _ text: String) -> JSON? {
    switch name {
    case "string": .string(text)
    case "integer": Int(text).map { .integer($0) }
    case "true": .bool(true)
    case "false": .bool(false)
    default: nil
    }
  }

  /// Replaces the entities that XML itself defines. The ampersand is last, so that what it begins is not replaced again.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
    let entities = [("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"), ("amp;", "&")]
    let text = String(decoding: bytes, as: UTF8.self)
    let isDefined = text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { piece in
      entities.contains { piece.hasPrefix($0.0) }
    }
    guard isDefined else { throw .malformed }
    return entities.reduce(text) { $0.replacing("&" + $1.0, with: $1.1) }
  }
}
