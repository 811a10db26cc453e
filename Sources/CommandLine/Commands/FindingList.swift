import Jansson
import OAuth

/// What `doctor` found, as text for a person.
enum FindingList {
  /// `command` is the program with the options that its advice must repeat.
  static func text(_ result: JSON, _ command: String) -> String {
    let findings = result["findings"]?.array ?? []
    let words = Finding.State.allCases.map(\.rawValue)
    let (states, checks) = (width(words), width(findings.compactMap { $0["check"]?.string }))
    let program = "\(result["program"]?.string ?? "")\n"
    return program
      + findings.map { finding in
        func text(_ name: String) -> String { finding[name]?.string?.plain ?? "" }
        let state = text("state") == Finding.State.failed.rawValue ? "FAILED" : text("state")
        let line = "\(padded(state, states))  \(padded(text("check"), checks))  \(text("message"))\n"
        guard finding["advice"] != nil else { return line }
        return line + String(repeating: " ", count: states + checks + 4) + "→ \(advice(text("advice"), command))\n"
      }.joined()
  }

  /// Returns the advice with the options of the program. Only its beginning is replaced: what follows may contain an account's name.
  private static func advice(_ text: String, _ command: String) -> String {
    let begin = "sign in: oauth-stdio "
    return text.hasPrefix(begin) ? "sign in: \(command) " + text.dropFirst(begin.count) : text
  }

  private static func width(_ words: [String]) -> Int { words.map(\.count).max() ?? 0 }
  private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
}
