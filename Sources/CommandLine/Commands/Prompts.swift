import Methods
import Platform

/// Rejects typed text that the terminal has damaged: control characters, or a line that was cut.
enum TypedText {
  /// Returns whether the text can be used, and otherwise says why not.
  static func isWhole(_ text: String, _ name: String, _ log: Log) -> Bool {
    let isDamaged = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    guard isDamaged || text.utf8.count >= Terminal.lineLimit else { return true }
    let long = "is longer than a terminal's line: put it into the configuration"
    log.line("oauth-stdio: the \(name) \(isDamaged ? "contains control characters, such as those of an arrow key" : long)")
    return false
  }
}
