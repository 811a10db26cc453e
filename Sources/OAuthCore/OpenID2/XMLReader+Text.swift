import Jansson

extension XMLReader {
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Replaces references: characters by number, and XML's own five entities (XML 1.0, 4.1 and 4.6).
  package static func decoded(_ text: ArraySlice<UInt8>) throws(XMLFault) -> [UInt8] {
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

  private static func character(_ reference: String) throws(XMLFault) -> String {
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
    guard let name = text.range(ofASCII: "encoding") else { return "utf-8" }
    let rest = text[name...].dropFirst("encoding".count).drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    return rest.dropFirst().prefix { $0 != quote }.lowercased()
  }
}

extension String {
  /// Returns where the word first begins.
  fileprivate func range(ofASCII word: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(word) }
  }
}
