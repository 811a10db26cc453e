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
        let advice = text("advice").replacing("oauth-stdio login", with: "\(command) login")
        return line + String(repeating: " ", count: states + checks + 4) + "→ \(advice)\n"
      }.joined()
  }

  private static func width(_ words: [String]) -> Int { words.map(\.count).max() ?? 0 }
  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
