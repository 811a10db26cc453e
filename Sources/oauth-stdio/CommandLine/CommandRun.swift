import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Platform

/// Runs one method for the command line: prints its result, or why it failed, and ends.
struct CommandRun {
  /// The exit statuses besides 0, 1 for a failure, and 128 and more for a signal.
  private enum Status {
    static let wrongUsage: Int32 = 2
    static let signInRequired: Int32 = 3
    static let denied: Int32 = 4
    static let network: Int32 = 5
  }

  /// In bytes. The largest file or input for a param.
  private static let inputLimit = 16 << 20

  private let options: Options
  private let start: CommandSession.Start
  private let log: Log
  private let streams: StandardStreams

  /// Runs the words of a method or of an everyday command. Returns the exit status.
  static func run(_ words: [String], _ options: Options, start: @escaping CommandSession.Start) -> Int32 {
    // The command itself says what failed.
    let log = Log(level: options.logLevel ?? .error, .system)
    func complain(_ message: String, _ status: Int32) -> Int32 {
      log.line("oauth-stdio: \(message)")
      log.flush()
      return status
    }
    guard let streams = StandardStreams() else { return complain("standard output is closed", 1) }
    do throws(Options.Fault) {
      return try CommandRun(options: options, start: start, log: log, streams: streams).run(words)
    } catch {
      let isKnown = words.first.map { name in Shortcut(rawValue: name) != nil || Methods.all.contains { $0.name == name } } ?? false
      return complain("\(error.message)\nSee oauth-stdio \(isKnown ? words[0] + " " : "")--help.", Status.wrongUsage)
    }
  }

  private func run(_ words: [String]) throws(Options.Fault) -> Int32 {
    var session: CommandSession?
    guard let name = words.first, let shortcut = Shortcut(rawValue: name) else {
      let command = try Command(words, read: Self.read)
      return command.asksForHelp ? print(CommandHelp.text(of: command.method)) : run(command, nil, nil)
    }
    if words.contains("--help") || words.contains("-h") { return print(CommandHelp.text(of: shortcut)) }
    let expanded = try shortcut.words(
      Array(words.dropFirst()),
      Shortcut.Context(
        knows: { account throws(Options.Fault) in
          session = makeSession(shortcut)
          guard case .result(let text)? = session?.request(AccountMethod.name, [.init("account", .string(account))]) else { return false }
          let state = try? JSON.parse(text)
          return state?["configured"] != nil || state?["provider"] != nil
        }, content: { value, option throws(Options.Fault) in try CommandValue.content(value, option, Self.read) }))
    guard let expanded else { return 0 }
    return run(try Command(expanded, read: Self.read), (shortcut, Array(words.dropFirst())), session)
  }

  private func run(_ command: Command, _ asked: (shortcut: Shortcut, words: [String])?, _ session: CommandSession?) -> Int32 {
    guard let session = session ?? makeSession(asked?.shortcut) else { return Status.wrongUsage }
    if asked?.shortcut == .login, isatty(0) == 1 { takePastedRedirects(session) }
    let status = report(session.request(command.method.name, command.params), asked)
    session.ending.finishCalls(status: status)
    return status
  }

  private func makeSession(_ shortcut: Shortcut?) -> CommandSession? {
    CommandSession(options, log, start: start) { notifier($0, shortcut) }
  }

  /// Hands over each line that the user types: over SSH, the browser cannot reach this machine.
  private func takePastedRedirects(_ session: CommandSession) {
    Thread.start { [log] in
      while let line = readLine() {
        guard !line.isEmpty else { continue }
        session.send(HandleRedirect.name, [.init("url", .string(line))]) { answer in
          guard case .result(let text) = answer, let reason = (try? JSON.parse(text))?["reason"]?.string else { return }
          log.line("oauth-stdio: \(reason)")
        }
      }
    }
  }

  /// Prints what may stand in the place of the last word, one candidate a line.
  static func complete(_ words: [String], start: @escaping CommandSession.Start) -> Int32 {
    var session: CommandSession?
    let found = Completion.candidates(words) { arguments in
      // The names of the accounts that these options lead to.
      guard var options = try? Options(arguments) else { return [] }
      options.events = .none
      session = CommandSession(options, Log(level: .error, .system), start: start) { Notifier(output: $0, choice: .none) }
      guard case .result(let text)? = session?.request(AccountsMethod.name, []) else { return [] }
      return (try? JSON.parse(text))?["accounts"]?.array?.compactMap { $0["account"]?.string } ?? []
    }
    let status: Int32 = PosixFile.write(found.map { $0 + "\n" }.joined(), to: 1) == 0 ? 0 : 1
    session?.ending.finishCalls(status: status)
    return status
  }

  /// Returns the content of a file, or of standard input for `-`.
  private static func read(_ name: String) throws(Options.Fault) -> [UInt8] {
    let descriptor = name == "-" ? 0 : open(name, O_RDONLY | O_CLOEXEC)
    defer { if descriptor > 0 { close(descriptor) } }
    let shown = name == "-" ? "standard input" : "the file \(name.plain)"
    guard descriptor >= 0, let bytes = DescriptorInput.all(descriptor, limit: inputLimit) else {
      throw Options.Fault("\(shown) cannot be read: \(String(cString: strerror(errno)).lowercased())")
    }
    return bytes
  }

  // MARK: Output

  private func print(_ text: String) -> Int32 { PosixFile.write(text, to: streams.output) == 0 ? 0 : 1 }

  /// Events go to standard error: as text, or with `--events json` as they are on the wire. The pieces of a body are the output of `call`.
  private func notifier(_ output: Output, _ shortcut: Shortcut?) -> Notifier {
    var choice = options.events
    // A person wants to know about this command only.
    if choice == .all { choice = .only(Set(Events.names).subtracting([AccountWasChanged.name])) }
    if case .only(let names) = choice, shortcut == .call { choice = .only(names.union([BodyChunkWasReceived.name])) }
    if choice == .none, shortcut == .call { choice = .only([BodyChunkWasReceived.name]) }
    let json = options.showsJSONEvents ? Notifier(output: Output(descriptor: 2, pinned: .lines, onBroken: {}), choice: choice) : nil
    return Notifier(output: output, choice: choice) { [log, streams] event in
      if shortcut == .call, let piece = event as? BodyChunkWasReceived {
        _ = piece.chunk.withUnsafeBytes { PosixFile.write($0, to: streams.output) }
      } else if let json {
        Events.forward(event, to: json)
      } else {
        // A server chooses some of the words. They must not control a terminal.
        for (index, line) in event.lines.enumerated() { log.line((index == 0 ? "oauth-stdio: " : "") + line.plain) }
        if shortcut == .login, isatty(0) == 1, let asked = event as? SignInWasRequested, asked.prompt.userCode == nil {
          log.line("If that browser is on another machine, it ends on a page that it cannot load. Paste the address of that page here:")
        }
      }
    }
  }

  /// Prints the answer and returns the exit status.
  private func report(_ answer: CommandSession.Answer, _ asked: (shortcut: Shortcut, words: [String])?) -> Int32 {
    switch answer {
    case .result(let text):
      if let asked { return print(asked.shortcut.output((try? JSON.parse(text)) ?? .null, of: asked.words, now: Clock.system.now)) }
      let shown = isatty(streams.output) == 1 ? IndentedJSON.text(text) : text
      return print(String(decoding: shown, as: UTF8.self) + "\n")
    case .error(let error):
      if asked?.shortcut.ignores(error) == true { return 0 }
      if asked?.shortcut == .call, let body = error["data"]?["body"]?.string { _ = print(body) }
      if options.showsJSONEvents {
        log.line(String(decoding: JSON.object([.init("error", error)]).text, as: UTF8.self))
      } else {
        log.line("oauth-stdio: \(message(error))")
      }
      return status(error)
    }
  }

  /// Returns the error's message with what to do next.
  private func message(_ error: JSON) -> String {
    var message = error["message"]?.string ?? ""
    // A fault in a param begins with its JSON pointer.
    if error["code"]?.integer == RPCError.invalidParamsCode, message.hasPrefix("/") { message = "--" + message.dropFirst() }
    guard let account = error["data"]?["account"]?.string, kind(error) == .signInRequired else { return message }
    return "\(message)\nSign in with: oauth-stdio login \(account)"
  }

  private func kind(_ error: JSON) -> OAuthFailure.Kind? { error["data"]?["kind"]?.string.flatMap(OAuthFailure.Kind.init) }

  private func status(_ error: JSON) -> Int32 {
    guard let kind = kind(error) else {
      let usage = [RPCError.invalidParamsCode, RPCError.methodNotFoundCode]
      return error["code"]?.integer.map(usage.contains) == true ? Status.wrongUsage : 1
    }
    switch kind {
    case .configurationInvalid: return Status.wrongUsage
    case .signInRequired, .insufficientUserAuthentication: return Status.signInRequired
    case .accessDenied, .insufficientScope, .notAllowed, .hostNotAllowed: return Status.denied
    case .networkFailure: return Status.network
    // A wait for the user or for another process has no host.
    case .timedOut: return error["data"]?["host"] == nil ? 1 : Status.network
    default: return 1
    }
  }
}
