import Jansson
import Methods
import OAuth

/// Signs in, with the person at the terminal.
struct LoginCommand: MethodCommand {
  static let name = "login"
  static let method: String? = Methods.authorize
  let words: [String]

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    let login = LoginCommand(words: words)
    // After two dashes, the name may begin with a dash, and it names no file.
    let words = words[...].drop { $0 == "--" }
    let isLiteral = words.startIndex > 0
    func has(_ param: String) -> Bool { words.dropFirst(isLiteral ? 1 : 0).contains { $0 == param || $0.hasPrefix(param + "=") } }
    func command(_ words: [String]) throws(Options.Fault) -> Command { try Command([Methods.authorize] + words, for: login) }
    guard let word = words.first, word != "-", isLiteral || !word.hasPrefix("-") else {
      if has("--account") { return try run.run(command(Array(words))) }
      throw Options.Fault("login needs the name of an account or of a provider")
    }
    let name = isLiteral ? CommandValue.quoted(word) : word
    let provider = (has("--provider") ? [] : ["--provider=\(name)"]) + words.dropFirst()
    // With another name for the account, this one is the provider's, even if an account has it, too.
    if has("--account") { return try run.run(command(provider)) }
    guard let session = run.makeSession(self) else { return ExitStatus.wrongUsage }
    let isKnown = session.hasAccount(word) == true
    let account = isKnown ? name : named([name])[0]
    // The entry of the account of a URL may name the provider itself.
    let others = ["--account=\(account)"] + (isKnown || session.namesProvider(of: account) ? Array(words.dropFirst()) : provider)
    return try run.run(command(others), session)
  }

  func request(_ command: Command, _ params: [JSON.Member], _ run: CommandRun, _ session: CommandSession) -> CommandSession.Answer {
    run.dialog.authorize(session, params)
  }

  /// What a dry run would send is all that it does.
  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    run.print(words.contains { $0.hasPrefix("--dryRun") } ? String(decoding: IndentedJSON.text(result.text), as: UTF8.self) + "\n" : "")
  }
}
