import Methods
import OAuthCore

/// Signs out, also at the provider if possible.
struct LogoutCommand: MethodCommand {
  static let name = "logout"
  static let method: String? = Methods.revoke
  let words: [String]

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    words.contains("--all") ? try runForAll(words, run) : try Self(words: words).call(run)
  }

  /// Signs out each account that has a grant. One that fails stops no other.
  private static func runForAll(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    guard words.count == 1 else { throw Options.Fault("logout takes no other word than --all") }
    guard let session = run.makeSession(self) else { return ExitStatus.wrongUsage }
    let listed = session.request(Methods.accounts, [])
    var (status, count): (Int32, Int) = (0, 0)
    if case .error = listed { status = run.report(listed, try Command([Methods.accounts]), session) }
    // The end of a login is that of the names for its other tokens.
    for name in session.accounts(where: { $0["login"] == nil }) {
      let command = try Command([Methods.revoke, "--account=\(CommandValue.quoted(name))"], for: LogoutCommand(words: [name]))
      let answer = session.request(Methods.revoke, command.params)
      // An account of the configuration may have no grant.
      if case .error(let error) = answer, error["kind"]?.string == OAuthFailure.Kind.signInRequired.rawValue { continue }
      count += 1
      status = max(status, run.report(answer, command, session))
    }
    if count == 0 { run.log.line("oauth-stdio: no account is signed in, so nothing was done") }
    session.shutdown.finishCalls(status: status)
  }
}
