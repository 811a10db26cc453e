import Platform

/// Rejects typed text that the terminal has damaged: control characters, or a line that was cut.
enum TypedText {
  /// Returns what is wrong with the text; nil if nothing is.
  static func problem(_ text: String) -> String? {
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "contains control characters, such as those of an arrow key"
    }
    return text.utf8.count < Terminal.lineLimit ? nil : "is longer than a terminal's line: put it into the configuration"
  }
}
