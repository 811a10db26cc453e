import Jansson
import OAuth
import Store

/// The accounts as a table for a person.
enum StatusTable {
  private static let titles = ["ACCOUNT", "PROVIDER", "SIGNED IN", "SCOPES", "EXPIRES", "KEY"]

  /// `program` is the command with its options, for advice.
  static func text(_ accounts: [JSON], program: String, now: Int) -> String {
    guard !accounts.isEmpty else { return "There are no accounts. Sign in with: \(program) login PROVIDER\n" }
    let rows = [titles] + accounts.map { row($0, now) }
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = zip(row, widths).map(padded).joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func row(_ account: JSON, _ now: Int) -> [String] {
    func text(_ name: String) -> String? { account[name]?.string }
    let scopes = account["grantedScopes"]?.array?.compactMap(\.string).joined(separator: " ")
    let user = text("email") ?? text("subject")
    // What cannot be read has a message of its own, which is too long for a table.
    let problem = text("problem").map { Grant.Problem(rawValue: $0)?.rawValue ?? "faulty: see doctor" }
    let isInDoubt = account["inDoubt"] == .bool(true)
    // The next use requests a token without a user.
    let signedIn = account["signedIn"] == .bool(false) ? "not needed" : user ?? "yes"
    let usable = account["untried"] == .bool(true) ? "imported, not tried" : signedIn
    let state = problem ?? (isInDoubt ? "in doubt: see doctor" : account["canAuthorize"] == .bool(true) ? usable : "no")
    let cells = [text("account"), text("provider"), state, scopes, expiry(account, now), text("key")]
    return cells.map { cell in cell.flatMap { $0.isEmpty ? nil : $0.plain } ?? "-" }
  }

  /// Returns when the token expires, in the largest unit of which there is at least two. A token that can be replaced needs no attention.
  private static func expiry(_ account: JSON, _ now: Int) -> String? {
    guard let end = account["expiresAt"]?.integer else { return nil }
    let (seconds, isRenewed) = (end - now, account["canRefresh"] == .bool(true))
    if isRenewed, seconds <= 0 { return "renewed at the next use" }
    let units = [(86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds")]
    let (size, name) = units.first { abs(seconds) >= 2 * $0.0 } ?? (1, "seconds")
    let time = seconds >= 0 ? "in \(seconds / size) \(name)" : "\(-seconds / size) \(name) ago"
    return isRenewed ? time + ", then renewed" : time
  }
}

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
}

private func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
