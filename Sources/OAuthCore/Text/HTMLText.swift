/// Text in an HTML page.
package enum HTMLText {
  /// Escapes text for HTML content and quoted attributes. Replaces control characters and those that change the text direction.
  package static func escaped(_ text: String) -> String {
    var result = ""
    // A combining mark must not hide the bracket before it in one Character.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\t", "\n", "\r": result += " "
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
