import Jansson
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
      let cells = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private static func row(_ account: JSON, _ now: Int) -> [String] {
    func text(_ name: String) -> String? { account[name]?.string }
    let scopes = account["grantedScopes"]?.array?.compactMap(\.string).joined(separator: " ")
    let user = text("email") ?? text("subject")
    // What cannot be read has a message of its own, which is too long for a table.
    let problem = text("problem").map { AccountSummary.Problem(rawValue: $0)?.rawValue ?? "faulty: see doctor" }
    let isInDoubt = account["inDoubt"] == .bool(true)
    let usable = account["untried"] == .bool(true) ? "imported, not tried" : user ?? "yes"
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
