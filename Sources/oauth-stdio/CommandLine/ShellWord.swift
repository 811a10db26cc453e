import OAuth

/// A word as a POSIX shell reads it.
enum ShellWord {
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      $0 < 0x80 && ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || "-._/=:@".utf8.contains($0))
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Returns the program with options of the process, as advice for a person. A database's password is left out.
  static func command(_ arguments: [String]) -> String {
    (["oauth-stdio"] + arguments.map { quoted(withoutPassword($0).plain) }).joined(separator: " ")
  }

  /// Returns an option or its value without a database's password.
  static func withoutPassword(_ argument: String) -> String {
    if PostgresStore.isURI(argument) { return PostgresStore.withoutPassword(argument) }
    guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return argument }
    let value = String(argument[argument.index(after: equals)...])
    return PostgresStore.isURI(value) ? argument[...equals] + PostgresStore.withoutPassword(value) : argument
  }
}
