/// The text of a file that came by an environment variable. Many platforms have variables of one line.
package enum FileText {
  /// Returns what the text encodes in base64, if that is a key in PEM or JSON; otherwise the text itself.
  package static func decoded(_ text: String) -> String {
    guard let bytes = try? Base64.decode(text.filter { !$0.isWhitespace }) else { return text }
    let inner = String(decoding: bytes, as: UTF8.self)
    return inner.contains("-----BEGIN ") || inner.hasPrefix("{") ? inner : text
  }

  /// Returns a text in PEM with line ends where `\n` stands for them. Some platforms escape the backslash as well.
  package static func withLineEnds(_ text: String) -> String {
    text.contains("\\n") ? text.replacing("\\r", with: "").replacing("\\n", with: "\n").replacing("\\", with: "") : text
  }
}
