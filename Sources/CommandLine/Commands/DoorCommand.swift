import Methods
import OAuthCore
import Platform

/// What `run` and `http` share: the words before a command line, and whether an account can be used.
struct DoorCommand {
  /// As the user named them; empty for all that the limits allow.
  let accounts: [String]
  private let own: OwnOptions
  let run: CommandRun

  /// Reads names of accounts, the command's own options and those of the process.
  init(_ words: [String], of command: any EverydayCommand.Type, _ run: CommandRun) throws(Options.Fault) {
    own = try OwnOptions(words, of: command)
    let (accounts, others) = try own.split()
    var options = try Options(run.options.arguments + others + [command.name])
    if !accounts.isEmpty { options.limits.narrow(toAccounts: accounts) }
    self.accounts = accounts
    let log = Log(level: options.logLevel ?? (command.warns ? .warning : .error), file: options.logFile)
    self.run = CommandRun(options: options, log: log, streams: run.streams, dialog: run.dialog, progress: nil)
  }

  /// The values of an option of the command, in their order.
  subscript(_ option: String) -> [String] { own[option] }

  /// Prints why the account cannot be used without a sign-in, or why none can, and returns the exit status; nil if it can.
  func report(_ account: String?, _ session: CommandSession) throws(Options.Fault) -> Int32? {
    do {
      try session.limits.check(method: Methods.callAPI, changes: false, returnsCredential: false)
      guard let account else { return nil }
      try session.limits.check(account: account)
      if !session.isForClient(account) { _ = try session.service.accounts.tokens(of: account).held() }
      return nil
    } catch {
      let command = try Command([Methods.callAPI] + (account.map { ["--account=\($0)"] } ?? []))
      return run.report(.error(session.failure(error)), command, session)
    }
  }

  /// 256 bits, which no program can guess.
  static func newSecret() -> Secret { Secret(Base64.encodeURL(SystemRandom.bytes(32))) }
}
