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

  /// Runs the words of a method or of an everyday command, and exits or returns the exit status.
  package static func run(_ words: [String], _ options: Options) -> Int32 {
    let command = EverydayCommands.named(words.first)
    // The command itself says what failed.
    let warns = command?.warns ?? (words.first == Methods.importGrant)
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
      if command is DockerCredentialCommand.Type {
        _ = streams.print(Array("\(error.message)\n".utf8))
        return 1
      }
      let isCommand = command != nil || Methods.ofCommandLine.contains { $0.name == words.first }
      return complain(error.text(isCommand ? words[0] : ""), ExitStatus.wrongUsage)
    }
  }

  private func run(_ words: [String]) throws(Options.Fault) -> Int32 {
    let rest = Array(words.dropFirst())
    if let everydayCommand = EverydayCommands.named(words.first) {
      return everydayCommand.asksForHelp(rest) ? print(CommandHelp.text(of: everydayCommand)) : try everydayCommand.run(rest, self)
    }
    if words.first == Methods.refresh, words.contains("--all") { return try refreshAll(rest) }
    let command = try Command(words)
    return command.asksForHelp ? print(CommandHelp.text(of: command.method)) : try run(command)
  }

  func run(_ command: Command, _ session: CommandSession? = nil) throws(Options.Fault) -> Int32 {
    // `doctor` says what is wrong with the configuration, and `status` shows the rest.
    let (isDiagnosis, isStatus) = (command.method.name == Methods.diagnose, command.everydayCommand is StatusCommand)
    guard let session = session ?? makeSession(command.everydayType, readsConfiguration: !isDiagnosis && !isStatus) else {
      return ExitStatus.wrongUsage
    }
    dialog.begin(session, command.params)
    session.service.accounts.asksAgain(within: command["timeout"]?.integer ?? Accounts.defaultTimeoutSeconds)
    let params = try CommandSources.configure(session, by: command)
    let answer = command.everydayCommand?.request(command, params, self, session) ?? session.request(command.method.name, params)
    var status = report(answer, command, session)
    if case .result = answer, !isDiagnosis, command.everydayCommand == nil || command.method.name != Methods.hostCredential {
      do throws(OAuthFailure) { _ = try session.configuration.read() } catch {
        log.line("oauth-stdio: warning: \(error.message). The command went on without the file, which was not read")
        if isStatus { status = ExitStatus.wrongUsage }
      }
    }
    session.shutdown.finishCalls(status: status)
  }

  /// Returns nil if the process cannot start, which the log says.
  func makeSession(_ everydayCommand: (any EverydayCommand.Type)?, readsConfiguration: Bool = true) -> CommandSession? {
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

  /// The width of the terminal; nil without one.
  var width: Int? { Terminal.width(of: streams.output) }

  func print(_ text: String) -> Int32 {
    let code = streams.print(Array(text.utf8))
    if code != 0, code != EPIPE { log.line("oauth-stdio: standard output cannot be written: \(Descriptors.reason(code))") }
    return code == 0 ? 0 : 1
  }

  /// Prints the answer and returns the exit status.
  func report(_ answer: CommandSession.Answer, _ command: Command, _ session: CommandSession) -> Int32 {
    progress?.clear()
    switch answer {
    case .result(let text):
      if let asked = command.everydayCommand { return asked.show((try? JSON.parse(text)) ?? .null, self, session) }
      let result = forwarded(text, command)
      let isTerminal = isatty(streams.output) == 1
      if isTerminal, command.method.name == Methods.providers { return print(session.providers(width: width)) }
      let shown = isTerminal ? IndentedJSON.text(result) : result
      // A script must notice that an address has ended no sign-in.
      let isIgnored = command.method.name == Methods.handleRedirect && (try? JSON.parse(result))?["handled"] == .bool(false)
      return max(print(String(decoding: shown, as: UTF8.self) + "\n"), isIgnored ? 1 : 0)
    case .error where dialog.hasLostOutput: return 1
    case .error(let error):
      if command.everydayCommand is CallCommand, let body = Self.body(error) {
        _ = streams.print(body)
        // The error must not begin in the body's last line.
        if body.last != UInt8(ascii: "\n"), isatty(streams.output) == 1, isatty(2) == 1 { _ = PosixFile.write("\n", to: 2) }
      }
      let shown = CommandError(error: error, command: command, session: session)
      if let answer = command.everydayCommand?.answer(to: shown) {
        if let said = answer.said { log.line("oauth-stdio: \(said)") }
        return max(print(answer.text), answer.status)
      }
      if options.showsJSONEvents {
        log.line(JSON.object([.init("error", error.shown.json)]).line, verbatim: true)
      } else {
        log.line("oauth-stdio: \(shown.message)")
        // Standard output is for the result.
        let body = command.everydayCommand == nil && command.method.name == Methods.callAPI ? Self.body(error) : nil
        if let body { log.line(String(decoding: body, as: UTF8.self).plainLines, verbatim: true) }
      }
      return shown.status
    }
  }

  /// Returns the result of a method. A pasted redirect goes on to the process that waits for it.
  private func forwarded(_ result: [UInt8], _ command: Command) -> [UInt8] {
    guard command.method.name == Methods.handleRedirect, let url = command["url"]?.string,
      let redirect = (try? JSON.parse(result)).flatMap({ PastedRedirect(url, $0) })
    else { return result }
    return redirect.forward(log).text
  }

  /// Returns the body of an error of the service; nil if it has none.
  private static func body(_ error: CommandSession.Failure) -> [UInt8]? {
    if let json = error["json"] { return json.text }
    guard let text = error["body"]?.string else { return nil }
    return error["bodyEncoding"] == "base64" ? try? Base64.decode(text) : Array(text.utf8)
  }
}
