/// OpenID's key-value form (OpenID Authentication 2.0, 4.1.1): lines of `name:value`. Servers use it for direct responses.
enum KeyValueForm {
  package enum Failure: Error, Equatable {
    case notUTF8
    /// A line without a colon.
    case noColon
    /// Parsers disagree about which of the values counts.
    case repeatedName
  }

  /// Decodes the pairs. Ignores empty lines, CR, and white space around names and values, as the libraries of its time did.
  package static func decode(_ bytes: [UInt8]) throws(Failure) -> [(name: String, value: String)] {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    var pairs: [(name: String, value: String)] = []
    var names: Set<String> = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = trimmed(line)
      if line.isEmpty { continue }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
      let name = String(Substring(trimmed(line[..<colon])))
      guard names.insert(name).inserted else { throw .repeatedName }
      pairs.append((name, String(Substring(trimmed(line[line.index(after: colon)...])))))
    }
    return pairs
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
