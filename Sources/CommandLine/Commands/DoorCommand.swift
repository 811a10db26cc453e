import Methods
import OAuthCore
import Platform

/// What `run` and `http` share: the words before a command line, and whether an account can be used.
struct DoorCommand {
  /// As the user named them; empty for all that the limits allow.
  let accounts: [String]
  /// The values of an option of the command, in their order.
  private let values: [(option: String, value: String)]
  let run: CommandRun

  /// Reads names of accounts, the command's own options and those of the process, which users put behind its name.
  init(_ words: ArraySlice<String>, of command: any EverydayCommand.Type, _ run: CommandRun) throws(Options.Fault) {
    var (rest, accounts, values, others) = (words, [String](), [(String, String)](), [String]())
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        accounts.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let isOwn = command.completedOptions.contains { $0.name == parts[0] }
      if !isOwn { others.append(word) }
      guard isOwn || ProcessOption.takesValue(word) else { continue }
      guard let value = isOwn && parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw Options.Fault("\(parts[0].plain) needs a value")
      }
      if isOwn { values.append((parts[0], value)) } else { others.append(value) }
    }
    var options = try Options(run.options.arguments + others + [command.name])
    if !accounts.isEmpty { options.limits.narrow(toAccounts: accounts) }
    (self.accounts, self.values) = (accounts, values)
    let log = Log(level: options.logLevel ?? (command.warns ? .warning : .error), file: options.logFile)
    self.run = CommandRun(options: options, log: log, streams: run.streams, dialog: run.dialog, progress: nil)
  }

  subscript(_ option: String) -> [String] { values.filter { $0.option == option }.map(\.value) }

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
