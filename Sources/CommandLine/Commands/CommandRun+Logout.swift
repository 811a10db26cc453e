import Methods
import OAuthCore

extension CommandRun {
  /// Signs out each account that has a grant. One that fails stops no other.
  func logOutOfAll(_ words: [String]) throws(Options.Fault) -> Int32 {
    guard words.count == 1 else { throw Options.Fault("logout takes no other word than --all") }
    guard let session = makeSession(.logout) else { return CommandError.Status.wrongUsage }
    let listed = session.request(Methods.accounts, [])
    var (status, count): (Int32, Int) = (0, 0)
    if case .error = listed { status = report(listed, try Command([Methods.accounts]), nil, session) }
    for name in session.accounts {
      let command = try Command([Methods.revoke, "--account=\(EverydayCommand.quoted(name))"], for: .logout)
      let answer = session.request(Methods.revoke, command.params)
      // An account of the configuration may have no grant.
      if case .error(let error) = answer, error["kind"]?.string == OAuthFailure.Kind.signInRequired.rawValue { continue }
      count += 1
      status = max(status, report(answer, command, Asked(everydayCommand: .logout, words: [name], input: ""), session))
    }
    if count == 0 { log.line("oauth-stdio: no account is signed in, so nothing was done") }
    session.shutdown.finishCalls(status: status)
    return status
  }
}
