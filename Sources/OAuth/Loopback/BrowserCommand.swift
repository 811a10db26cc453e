import Platform

/// A program and its arguments that open a page.
struct BrowserCommand: Equatable, Sendable {
  /// The program, then its arguments. `%s` in an argument is the place of the URL.
  let words: [String]

  /// Returns the command with the URL in place of `%s`, or as an additional argument without `%s`. The URL is always within one argument.
  func arguments(for url: String) -> [String] {
    guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
    return words.map { $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: url) }
  }

  /// Parses `$BROWSER`. Colons separate commands and spaces separate words; quotes and backslashes work as in a shell.
  static func list(_ text: String) -> [BrowserCommand] {
    var commands: [BrowserCommand] = []
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    func endWord() {
      if let ended = word { words.append(ended) }
      word = nil
    }
    func endCommand() {
      endWord()
      // `firefox %s &` is written for a shell. The process never waits for a browser anyway.
      if words.last == "&" { words.removeLast() }
      if let program = words.first, !program.isEmpty { commands.append(BrowserCommand(words: words)) }
      words = []
    }
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else {
        switch character {
        case "'", "\"": (quote, word) = (character, word ?? "")
        case ":": endCommand()
        case " ", "\t": endWord()
        default: word = (word ?? "") + String(character)
        }
      }
    }
    endCommand()
    return commands
  }

  /// Returns the path of the program's file; nil if there is no executable file.
  func program(in path: String?) -> String? { words.first.flatMap { ProgramFile.find($0, in: path) } }
}
