import Methods
import OAuthCore
import Plans
import Platform
import Store

extension CommandRun {
  static let refreshAllUsage =
    "--all [--older-than AGE] renews each login whose refresh token was not used for a day, or for an AGE such as 12h or 7d."

  /// Renews each login whose refresh token was not used for a while: many servers end one that rests. A login that fails stops no other.
  func refreshAll(_ words: [String]) throws(Options.Fault) -> Int32 {
    let age = try Self.age(words)
    guard let session = makeSession(nil) else { return ExitStatus.wrongUsage }
    let listed = session.request(Methods.accounts, [])
    var statuses: [Int32] = [0]
    if case .error = listed { statuses = [report(listed, try Command([Methods.accounts]), session)] }
    let found = CommandSession.waiting { [service = session.service] in try? await service.accounts.list() } ?? []
    let now = Clock.system.now
    for login in found where session.limits.allows(account: login.account) {
      let grant = login.stored?.grant
      let isEnded = grant?.canRefresh(at: now) == false
      // A refresh of a login that has ended, or that cannot be read, says why.
      if let grant, grant.isForClient || !grant.isRenewable || !isEnded && now - grant.issuedAt < age { continue }
      let command = try Command([Methods.refresh, "--account=\(CommandValue.quoted(login.account))"] + (isEnded ? [] : ["--force"]))
      // The event of a refresh is told already.
      let answer = session.request(Methods.refresh, command.params)
      if case .error = answer { statuses.append(report(answer, command, session)) }
    }
    // Of several failures, the one that waits for a person counts.
    let status = statuses.first { $0 == ExitStatus.signInRequired } ?? statuses.max() ?? 0
    session.shutdown.finishCalls(status: status)
  }

  /// Returns the seconds of `--older-than`.
  private static func age(_ words: [String]) throws(Options.Fault) -> Int {
    let rest = words.filter { $0 != "--all" }.flatMap { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    if rest.isEmpty { return 86_400 }
    let unit = rest.last?.last.flatMap { ["s": 1, "m": 60, "h": 3600, "d": 86_400][$0] }
    guard rest.count == 2, rest[0] == "--older-than", let unit, let number = Int(rest[1].dropLast()), 0...100_000 ~= number else {
      throw Options.Fault("refresh --all takes only --older-than with a number and a unit, such as 12h or 7d")
    }
    return number * unit
  }
}
