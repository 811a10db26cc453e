/// A word as a POSIX shell reads it.
package enum ShellWord {
  /// Returns the word so that a shell takes it literally. A name from outside must not run a command when the user pastes advice.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0 < 0x80 && ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "-._/=:@".utf8.contains($0))
    }
    // zsh replaces a word that begins with an equals sign.
    return isPlain && !word.isEmpty && !word.hasPrefix("=") ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
