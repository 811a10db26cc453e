/// Text that the user copied from a page or mail, without surrounding white space, quotes or angle brackets (RFC 3986, appendix C).
package struct PastedText {
  private static let pairs: [(Character, Character)] = [
    ("<", ">"), ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"),
  ]

  package let text: String

  package init(_ pasted: String) {
    var rest = pasted.trimmed
    while rest.count > 1, Self.pairs.contains(where: { $0.0 == rest.first && $0.1 == rest.last }) {
      rest = rest.dropFirst().dropLast().trimmed
    }
    text = String(rest)
  }
}
