/// Text that the user copied from a page or mail, without surrounding white space, quotes or angle brackets (RFC 3986, appendix C).
package struct PastedText {
  private static let pairs: [(Character, Character)] = [
    ("<", ">"), ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"),
  ]

  package let text: String

  package init(_ pasted: String) {
    var rest = Self.trimmed(pasted[...])
    while rest.count > 1, Self.pairs.contains(where: { $0.0 == rest.first && $0.1 == rest.last }) {
      rest = Self.trimmed(rest.dropFirst().dropLast())
    }
    text = String(rest)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return text[...end].drop(while: \.isWhitespace)
  }
}
