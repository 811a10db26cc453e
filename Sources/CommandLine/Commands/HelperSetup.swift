import Jansson
import Methods
import OAuthCore
import Platform

/// Gives other programs the name by which they start this one, and tells what their files need. Those stay as they are.
///
/// `SetupLines.json` has the name, the file and the lines of each program.
struct HelperSetup {
  let target: SetupCommand.Target
  let log: Log

  private var program: JSON { SetupCommand.table[target.rawValue] ?? .null }
  private var file: String { program["file"]?.string ?? "" }
  private var name: String { program["shim"]?.string ?? "" }
  /// pnpm gives its helper no argument, so each account has a name of its own.
  private var isOfAccount: Bool { name.hasSuffix("-") }

  private func lines(_ part: String) -> [String] { program[part]?.array?.compactMap(\.string) ?? [] }

  private func shim(_ account: String = "") throws(Options.Fault) -> Shim {
    try Shim(name + account, in: program["folder"]?.string ?? Shim.programs, isInPath: program["isInPath"] != nil, log)
  }

  /// Makes the link. Returns its path.
  private func made(_ shim: Shim) throws(Options.Fault) -> String {
    guard !program.line.contains("{path}") || !shim.path.contains(where: { " \t\"'\\#".contains($0) }) else {
      throw Options.Fault("\(shim.path.plain) has a blank or a quote, which \(file) cannot hold: set HOME to a link to your home")
    }
    return try shim.make()
  }

  /// Returns the lines for the program's file. Without `hosts`, they are for all.
  func add(_ hosts: [(host: String, account: String?)]) throws(Options.Fault) -> String {
    var path = isOfAccount ? "" : try made(shim())
    let all = hosts.map(\.host).joined(separator: program["separator"]?.string ?? " ")
    var found = (lines("lines") + (hosts.isEmpty ? lines("all") : [])).map {
      $0.replacing("{path}", with: path).replacing("{hosts}", with: all)
    }
    for (index, (host, account)) in hosts.enumerated() {
      if isOfAccount {
        guard let account else { continue }
        guard account.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "@") }) else {
          throw Options.Fault(
            "the account's name \(account.plain) cannot be part of \(file): sign in with --account NAME, of letters and digits")
        }
        path = try made(shim(account))
      }
      let first = index == 0 ? lines("first") : []
      found += (first.isEmpty ? lines("host") : first).map { $0.replacing("{host}", with: host).replacing("{path}", with: path) }
    }
    guard !found.isEmpty else { return "" }
    log.line("Add this to \(file)\(hosts.isEmpty ? "" : program["note"]?.string ?? ""):")
    return found.joined(separator: "\n") + "\n"
  }

  func remove() throws(Options.Fault) {
    let names = isOfAccount ? try? PosixFile.names(in: Shim.home + Shim.programs).filter { $0.hasPrefix(name) } : [name]
    for found in names ?? [] {
      let removed = try shim(String(found.dropFirst(name.count))).remove()
      log.line("\(found) \(removed ? "no longer starts" : "does not start") oauth-stdio.")
    }
    log.line("Take its lines out of \(file), too.")
  }
}
