/// Text that the user copied from a page or mail, without what surrounds it there: white space, quotes and brackets (RFC 3986, appendix C), the
/// end of a sentence, and the syntax of a link in Markdown or of a `&` in HTML.
package struct PastedText {
  private static let opening = "<([{\"'`“‘«"
  private static let closing = ">)]}\"'`”’».,;"

  package let text: String

  package init(_ pasted: String) {
    var rest = pasted.trimmed
    // [text](address)
    if rest.first == "[", let middle = rest.firstRange(of: "](") { rest = rest[middle.upperBound...] }
    while let first = rest.first, first.isWhitespace || Self.opening.contains(first) { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace || Self.closing.contains(last) { rest.removeLast() }
    text = String(rest.replacing("&amp;", with: "&"))
  }
}
