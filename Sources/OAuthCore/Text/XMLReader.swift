import Jansson

/// Reads a document event by event, strictly: UTF-8, no document type declaration, no custom entities, no namespaces.
///
/// A property list uses so little of XML that a full parser would be the larger risk.
package struct XMLReader {
  private var bytes: ArraySlice<UInt8>
  /// The names of the open elements.
  private var open: [ArraySlice<UInt8>] = []
  /// True after `<a/>`, which has an end event after its start event.
  private var endsAtOnce = false
  private var hasRoot = false

  package init(_ document: [UInt8]) throws(XMLReader.Fault) {
    var bytes = document[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard isCleanUTF8(Array(bytes)) else { throw .notUTF8 }
    self.bytes = bytes
    if bytes.starts(with: "<?xml".utf8), let after = bytes.dropFirst(5).first, Self.isSpace(after) {
      let declaration = try skipped(past: "?>")
      // Other encodings would need a conversion. ASCII is valid UTF-8.
      guard let encoding = Self.encoding(of: declaration), ["utf-8", "us-ascii", "ascii"].contains(encoding) else { throw .notUTF8 }
    }
  }

  /// The next event; nil at the end of the document.
  package mutating func next() throws(XMLReader.Fault) -> XMLReader.Event? {
    if endsAtOnce {
      endsAtOnce = false
      open.removeLast()
      return .end
    }
    var text: [UInt8] = []
    while let byte = bytes.first {
      if byte != UInt8(ascii: "<") {
        let end = bytes.firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
        text += try Self.decoded(bytes[..<end])
        bytes = bytes[end...]
      } else if bytes.starts(with: "<!--".utf8) {
        bytes = bytes.dropFirst(4)
        _ = try skipped(past: "-->")
      } else if bytes.starts(with: "<![CDATA[".utf8), !open.isEmpty {
        bytes = bytes.dropFirst(9)
        text += try skipped(past: "]]>")
      } else if bytes.starts(with: "<!DOCTYPE".utf8) {
        throw .doctype
      } else if bytes.starts(with: "<?".utf8) {
        _ = try skipped(past: "?>")
      } else {
        if open.isEmpty {
          guard text.allSatisfy(Self.isSpace) else { throw .malformed }
        } else if !text.isEmpty {
          return .text(String(decoding: text, as: UTF8.self))
        }
        return try tag()
      }
    }
    guard open.isEmpty, hasRoot, text.allSatisfy(Self.isSpace) else { throw .malformed }
    return nil
  }

  private mutating func tag() throws(XMLReader.Fault) -> XMLReader.Event {
    bytes = bytes.dropFirst()
    if bytes.first == UInt8(ascii: "/") {
      bytes = bytes.dropFirst()
      let name = try name()
      skipSpace()
      guard bytes.popFirst() == UInt8(ascii: ">"), open.popLast()?.elementsEqual(name) == true else { throw .malformed }
      return .end
    }
    guard !(open.isEmpty && hasRoot) else { throw .malformed }
    hasRoot = true
    let name = try name()
    while true {
      let hadSpace = skipSpace()
      if bytes.first == UInt8(ascii: ">") || bytes.starts(with: "/>".utf8) { break }
      guard hadSpace else { throw .malformed }
      try skipAttribute()
    }
    endsAtOnce = bytes.popFirst() == UInt8(ascii: "/")
    if endsAtOnce { bytes = bytes.dropFirst() }
    open.append(name)
    return .start(String(decoding: name, as: UTF8.self))
  }

  private mutating func skipAttribute() throws(XMLReader.Fault) {
    _ = try name()
    skipSpace()
    guard bytes.popFirst() == UInt8(ascii: "=") else { throw .malformed }
    skipSpace()
    guard let quote = bytes.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), let end = bytes.firstIndex(of: quote)
    else { throw .malformed }
    bytes = bytes[(end + 1)...]
  }

  private mutating func name() throws(XMLReader.Fault) -> ArraySlice<UInt8> {
    let name = bytes.prefix { isASCIILetterOrDigit($0) || $0 >= 0x80 || "_:-.".utf8.contains($0) }
    guard let first = name.first, isASCIILetter(first) || first >= 0x80 || first == UInt8(ascii: "_") else { throw .malformed }
    bytes = bytes[name.endIndex...]
    return name
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let rest = bytes.drop(while: Self.isSpace)
    defer { bytes = rest }
    return rest.count < bytes.count
  }

  /// Returns the text before the mark and skips both.
  private mutating func skipped(past mark: StaticString) throws(XMLReader.Fault) -> ArraySlice<UInt8> {
    let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
    var index = bytes.startIndex
    while let found = bytes[index...].firstIndex(of: mark[0]) {
      if bytes[found...].starts(with: mark) {
        defer { bytes = bytes[(found + mark.count)...] }
        return bytes[..<found]
      }
      index = found + 1
    }
    throw .malformed
  }
}

extension XMLReader {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Replaces references: characters by number, and XML's own five entities (XML 1.0, 4.1 and 4.6).
  package static func decoded(_ text: ArraySlice<UInt8>) throws(XMLReader.Fault) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "&") else {
        result.append(byte)
        continue
      }
      // The longest valid reference has eight digits.
      guard let end = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw .malformed }
      result += try character(String(decoding: rest[..<end], as: UTF8.self)).utf8
      rest = rest[(end + 1)...]
    }
    return result
  }

  private static func character(_ reference: String) throws(XMLReader.Fault) -> String {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard reference.hasPrefix("#") else { throw .entity }
      let isHex = reference.hasPrefix("#x")
      let digits = reference.dropFirst(isHex ? 2 : 1)
      guard digits.utf8.allSatisfy({ isHex ? hexDigitValue($0) != nil : isASCIIDigit($0) }),
        let value = UInt32(digits, radix: isHex ? 16 : 10),
        let scalar = Unicode.Scalar(value), value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value), value < 0xFFFE || value > 0xFFFF
      else { throw .malformed }
      return String(Character(scalar))
    }
  }

  /// Returns the encoding of an XML declaration in lower case. Default: `utf-8`. nil if the declaration is invalid.
  package static func encoding(of declaration: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: declaration, as: UTF8.self)
    guard let name = text.firstRange(of: "encoding") else { return "utf-8" }
    let rest = text[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return rest.dropFirst().prefix { $0 != quote }.lowercased()
  }
}

extension XMLReader {
  /// Why a document is rejected. The messages quote nothing from it.
  package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
    case notUTF8
    /// The document has a document type declaration, which could define entities: exponential expansion, or the content of local files.
    case doctype
    /// An entity other than the five that XML itself defines.
    case entity
    case malformed

    package var description: String {
      switch self {
      case .notUTF8: "the document is not UTF-8"
      case .doctype: "the document has a document type declaration"
      case .entity: "the document has an entity"
      case .malformed: "the document is not well-formed XML"
      }
    }
  }

  package enum Event: Equatable {
    case start(String)
    case text(String)
    case end
  }
}
