/// A program with its arguments that shows a page.
struct BrowserCommand: Equatable, Sendable {
  /// The program first; `%s` in an argument stands for the URL.
  let words: [String]

  /// With the URL in place of `%s`, or at the end where there is none; always within one argument.
  func arguments(for url: String) -> [String] {
    guard words.contains(where: { $0.contains("%s") }) else { return words + [url] }
    return words.map { $0.split(separator: "%s", omittingEmptySubsequences: false).joined(separator: url) }
  }

  /// Reads `$BROWSER`: commands between colons, words between spaces, both quotes and the backslash as a shell reads them.
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
      // `firefox %s &` was written for a shell; we never wait anyway.
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

  /// The program's file; nil where nothing can be run.
  func program(in path: String?) -> String? { words.first.flatMap { ProgramFile.find($0, in: path) } }
}
