import Jansson
import Methods
import OAuth
import OAuthCore
import Platform

/// Runs one method for the command line: prints its result, or why it failed, and exits.
package struct CommandRun {
  let options: Options
  let log: Log
  let streams: StandardStreams
  let dialog: SignInDialog
  /// nil if the terminal shows a body, or if there is none.
  let progress: ProgressBar?

  /// Runs the words of a method or of an everyday command. Returns the exit status.
  package static func run(_ words: [String], _ options: Options) -> Int32 {
    // The command itself says what failed. What serves another program has no other way to warn its user, and a file may be read in part.
    let command = words.first.flatMap(EverydayCommand.init)
    let warns = command?.readsInput == true || command == .import || words.first == Methods.importGrant
    let log = Log(level: options.logLevel ?? (warns ? .warning : .error), file: options.logFile)
    func complain(_ message: String, _ status: Int32) -> Int32 {
      log.line("oauth-stdio: \(message)")
      log.flush()
      return status
    }
    guard let streams = StandardStreams() else { return complain("standard output is closed", 1) }
    do throws(Options.Fault) {
      // A body on the terminal is progress enough.
      let showsBody = isatty(streams.output) == 1 && !words.contains("-o") && !words.contains("--saveTo")
      return try CommandRun(
        options: options, log: log, streams: streams, dialog: SignInDialog(log: log),
        progress: isatty(2) == 1 && !showsBody ? ProgressBar() : nil
      ).run(words)
    } catch {
      // docker reads the reason of a failure from standard output.
      if words.first == EverydayCommand.dockerCredential.rawValue {
        _ = streams.print(Array("\(error.message)\n".utf8))
        return 1
      }
      let isCommand =
        words.first.map { name in EverydayCommand(rawValue: name) != nil || Methods.ofCommandLine.contains { $0.name == name } } ?? false
      return complain(error.text(isCommand ? words[0] : ""), CommandError.Status.wrongUsage)
    }
  }

  /// An everyday command.
  struct Asked {
    let everydayCommand: EverydayCommand
    let words: [String]
    /// What another program asks on standard input.
    let input: String

    /// Returns what serves Git or docker; nil for another command.
    func helper(_ session: CommandSession) -> CredentialHelper? {
      everydayCommand.readsInput ? CredentialHelper(everydayCommand: everydayCommand, words: words, session: session) : nil
    }
  }

  private func run(_ words: [String]) throws(Options.Fault) -> Int32 {
    var session: CommandSession?
    var hasFailed = false
    guard let name = words.first, let everydayCommand = EverydayCommand(rawValue: name) else {
      if words.first == Methods.refresh, words.contains("--all") { return try refreshAll(Array(words.dropFirst())) }
      let command = try Command(words)
      return command.asksForHelp ? print(CommandHelp.text(of: command.method)) : try run(command, nil, nil)
    }
    if everydayCommand.asksForHelp(Array(words.dropFirst())) { return print(CommandHelp.text(of: everydayCommand)) }
    if everydayCommand == .mcp {
      if let bridge = try BridgeCommand(Array(words.dropFirst()), options) { return try bridge.run(streams) }
      return try MCPServer.run(Array(words.dropFirst()), options, log, streams)
    }
    if everydayCommand == .setup { return setUp(try SetupCommand(Array(words.dropFirst()), options, log)) }
    let rest = Array(words.dropFirst())
    if everydayCommand == .key {
      let (publicKey, advice) = try KeyCommand(rest).run()
      for line in advice { log.line(line, verbatim: line.hasPrefix("  {")) }
      log.flush()
      return print(publicKey)
    }
    if everydayCommand == .dockerCredential, rest == ["list"] { return listRegistries() }
    if everydayCommand == .logout, rest.contains("--all") { return try logOutOfAll(rest) }
    let asks = everydayCommand.readsInput && !everydayCommand.asksNothing(rest)
    let input = asks ? try CommandValue.content("-", everydayCommand.rawValue) : ""
    let expanded = try everydayCommand.words(rest, input) {
      if session == nil, !hasFailed { session = makeSession(everydayCommand) }
      hasFailed = session == nil
      return session
    }
    if hasFailed { return CommandError.Status.wrongUsage }
    guard let expanded else { return print(everydayCommand.output(of: rest)) }
    let command = try Command(expanded, for: everydayCommand)
    return try run(command, Asked(everydayCommand: everydayCommand, words: rest, input: input), session)
  }

  private func run(_ command: Command, _ asked: Asked?, _ session: CommandSession?) throws(Options.Fault) -> Int32 {
    // `doctor` says what is wrong with the configuration, and `status` shows the rest.
    let (isDiagnosis, isStatus) = (command.method.name == Methods.diagnose, asked?.everydayCommand == .status)
    guard let session = session ?? makeSession(asked?.everydayCommand, readsConfiguration: !isDiagnosis && !isStatus) else {
      return CommandError.Status.wrongUsage
    }
    dialog.begin(session, command.params)
    session.service.accounts.asksAgain(within: command["timeout"]?.integer ?? Accounts.defaultTimeoutSeconds)
    let params = try CommandSources.configure(session, by: command)
    let answer =
      if asked?.everydayCommand == .login {
        dialog.authorize(session, params)
      } else {
        asked?.helper(session)?.request(params) ?? session.request(command.method.name, params)
      }
    var status = report(answer, command, asked, session)
    if case .result = answer, !isDiagnosis, asked?.everydayCommand.readsInput != true {
      do throws(OAuthFailure) { _ = try session.configuration.read() } catch {
        log.line("oauth-stdio: warning: \(error.message). The command went on without the file, which was not read")
        if isStatus { status = CommandError.Status.wrongUsage }
      }
    }
    session.shutdown.finishCalls(status: status)
    return status
  }

  private func listRegistries() -> Int32 {
    guard let session = makeSession(.dockerCredential) else { return 1 }
    let (text, status) = CredentialHelper.registries(session)
    let printed = max(print(text), status)
    session.shutdown.finishCalls(status: printed)
    return printed
  }

  private func setUp(_ setup: SetupCommand) -> Int32 {
    // Before anything is written: a helper that cannot start answers nothing.
    let session = setup.removes ? nil : makeSession(.setup)
    guard setup.removes || session != nil else { return CommandError.Status.wrongUsage }
    let isPiped = session?.configuration.file.isPipe == true
    if isPiped { log.line("oauth-stdio: setup needs a configuration that is no pipe, because other programs will read it") }
    let status = isPiped ? CommandError.Status.wrongUsage : setup.run()
    if let session {
      if status == 0 { setup.printMissingSignIns(session) }
      session.shutdown.finishCalls(status: status)
    }
    log.flush()
    return status
  }

  /// Returns nil if the process cannot start, which the log says.
  func makeSession(_ everydayCommand: EverydayCommand?, readsConfiguration: Bool = true) -> CommandSession? {
    guard let session = CommandSession(options, log, notifier: notifier(everydayCommand)) else { return nil }
    // Many commands do without the configuration, but the user counts on the one that is named.
    guard options.configuration != nil, readsConfiguration else { return session }
    do throws(OAuthFailure) {
      _ = try session.configuration.read()
      return session
    } catch {
      log.line("oauth-stdio: \(error.message)")
      log.flush()
      return nil
    }
  }

  // MARK: Output

  private func print(_ text: String) -> Int32 {
    let code = streams.print(Array(text.utf8))
    if code != 0, code != EPIPE { log.line("oauth-stdio: standard output cannot be written: \(Descriptors.reason(code))") }
    return code == 0 ? 0 : 1
  }

  /// Prints the answer and returns the exit status.
  func report(_ answer: CommandSession.Answer, _ command: Command, _ asked: Asked?, _ session: CommandSession) -> Int32 {
    progress?.clear()
    switch answer {
    case .result(let text):
      if let asked {
        let result = (try? JSON.parse(text)) ?? .null
        if asked.everydayCommand == .status, result["accounts"] == nil, !CommandSession.hasAccount(in: result) {
          log.line("oauth-stdio: \(session.noAccount(result["account"]?.string ?? ""))")
          return 1
        }
        let width = Terminal.width(of: streams.output)
        let text = asked.everydayCommand.output(result, of: asked.words, asked.input, session, now: Clock.system.now, width: width)
        return max(print(text), asked.everydayCommand.status(result))
      }
      let result = forwarded(text, command, session)
      let isTerminal = isatty(streams.output) == 1
      if isTerminal, command.method.name == Methods.providers { return print(session.providers(width: Terminal.width(of: streams.output))) }
      let shown = isTerminal ? IndentedJSON.text(result) : result
      // A script must notice that an address has ended no sign-in.
      let isIgnored = command.method.name == Methods.handleRedirect && (try? JSON.parse(result))?["handled"] == .bool(false)
      return max(print(String(decoding: shown, as: UTF8.self) + "\n"), isIgnored ? 1 : 0)
    case .error where dialog.hasLostOutput: return 1
    case .error(let error):
      if asked?.everydayCommand == .call, let body = Self.body(error) {
        _ = streams.print(body)
        // The error must not begin in the body's last line.
        if body.last != UInt8(ascii: "\n"), isatty(streams.output) == 1, isatty(2) == 1 { _ = PosixFile.write("\n", to: 2) }
      }
      let shown = CommandError(error: error, command: command, session: session)
      if let answer = asked?.helper(session)?.answer(to: error, command, message: shown.message) {
        if let said = answer.said { log.line("oauth-stdio: \(said)") }
        return max(print(answer.text), answer.status)
      }
      if options.showsJSONEvents {
        log.line(JSON.object([.init("error", error.shown.json)]).line, verbatim: true)
      } else {
        log.line("oauth-stdio: \(shown.message)")
        // Standard output is for the result.
        let body = asked == nil && command.method.name == Methods.callAPI ? Self.body(error) : nil
        if let body { log.line(String(decoding: body, as: UTF8.self).plainLines, verbatim: true) }
      }
      return shown.status
    }
  }

  /// Returns the result of a method. A pasted redirect goes on to the process that waits for it.
  private func forwarded(_ result: [UInt8], _ command: Command, _ session: CommandSession) -> [UInt8] {
    guard command.method.name == Methods.handleRedirect, let url = command["url"]?.string,
      let redirect = (try? JSON.parse(result)).flatMap({ PastedRedirect(url, $0) })
    else { return result }
    return redirect.forward(session, log).text
  }

  /// Returns the body of an error of the service; nil if it has none.
  private static func body(_ error: CommandSession.Failure) -> [UInt8]? {
    if let json = error["json"] { return json.text }
    guard let text = error["body"]?.string else { return nil }
    return error["bodyEncoding"] == "base64" ? try? Base64.decode(text) : Array(text.utf8)
  }
}

extension CommandSession {
  /// Whether the configuration or the store has the account; nil if that cannot be told.
  func hasAccount(_ account: String) -> Bool? {
    guard case .result(let text) = request(Methods.account, [.init("account", .string(account))]) else { return nil }
    return Self.hasAccount(in: (try? JSON.parse(text)) ?? .null)
  }

  /// Whether a result of `account` is about an account that is configured or stored.
  static func hasAccount(in state: JSON) -> Bool { state["configured"] != nil || state["provider"] != nil }
}
