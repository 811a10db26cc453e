/// A word as a POSIX shell and fish read it.
package enum ShellWord {
  /// Returns the word so that a shell takes it literally. A name from outside must not run a command when the user pastes advice.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0 < 0x80 && ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "-._/=:@".utf8.contains($0))
    }
    // zsh replaces a word that begins with an equals sign.
    guard !isPlain || word.isEmpty || word.hasPrefix("=") else { return word }
    // Within single quotes, a backslash stands for itself in a POSIX shell, but not in fish.
    // A shell sees a quote also where a combining mark follows it.
    return "'" + word.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "'\\\($0)'" : String($0) }.joined() + "'"
  }

  /// Returns an option with its value. One that begins with a dash must not be taken for another option.
  package static func option(_ name: String, _ value: String) -> String { "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))" }

  /// Returns a word that is not an option.
  package static func operand(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }
}
