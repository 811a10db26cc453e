import Jansson
import Platform
import Store

/// The accounts as a table for a person.
enum StatusTable {
  private static let titles = ["ACCOUNT", "PROVIDER", "SIGNED IN", "SCOPES", "EXPIRES", "KEY"]

  static func text(_ accounts: [JSON], _ session: CommandSession, width: Int?) -> String {
    let now = Clock.system.now
    guard !accounts.isEmpty else {
      return Terminal.wrapped("There are no accounts. Sign in with: \(session.program) login PROVIDER", to: width) + "\n"
    }
    return TextTable.text([titles] + accounts.map { row($0, session, now) }, width: width)
  }

  private static func row(_ account: JSON, _ session: CommandSession, _ now: Int) -> [String] {
    func text(_ name: String) -> String? { account[name]?.string }
    let scopes = account["grantedScopes"]?.array?.compactMap(\.string).joined(separator: " ")
    let user = text("email") ?? text("subject")
    // What cannot be read has a message of its own, which is too long for a table.
    let problem = text("problem").map { Grant.Problem(rawValue: $0)?.rawValue ?? "faulty: see doctor" }
    let isInDoubt = account["inDoubt"] == .bool(true)
    // The next use requests a token without a user.
    let signedIn = account["signedIn"] == .bool(false) ? "not needed" : user ?? "yes"
    let lost = account["lostScopes"]?.array?.compactMap(\.string).joined(separator: " ")
    let usable = account["untried"] == .bool(true) ? "imported, not tried" : signedIn
    // A name for another token of a login has what the server confirmed, or what was asked.
    let derived =
      account["canAuthorize"] != .bool(true)
      ? nil : text("login").map { "by \($0)\(account["confirmed"] == .bool(false) ? ", as asked, not confirmed" : "")" }
    let state =
      problem ?? lost.map { "the server has taken \($0)" } ?? derived
      ?? (isInDoubt ? "in doubt: see doctor" : account["canAuthorize"] == .bool(true) ? usable : "no")
    let provider = text("provider") ?? session.provider(of: text("account") ?? "")
    let cells = [text("account"), provider, state, scopes, expiry(account, now), text("key")]
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
