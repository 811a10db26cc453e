import Dispatch
import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Platform
import Synchronization

/// Runs one method for the command line: prints its result, or why it failed, and ends.
///
/// The method runs as for a client, so limits, the audit file and the end of the process are the same.
enum CommandRun {
  /// The exit statuses besides 0, 1 for a failure, and 128 and more for a signal.
  private enum Status {
    static let wrongUsage: Int32 = 2
    static let signInRequired: Int32 = 3
    static let denied: Int32 = 4
    static let network: Int32 = 5
  }

  /// In bytes. The largest file or input for a param.
  private static let inputLimit = 16 << 20

  /// Prepares the process, as `Program.start` does.
  typealias Start = (
    Options, StandardStreams, Log, (_ onBroken: @escaping @Sendable () -> Void) -> Output, (Output) -> Notifier
  ) -> (Service, Peer<Service>)?

  static func run(_ words: [String], _ options: Options, start: Start) -> Int32 {
    let log = Log(level: options.logLevel, .system)
    func complain(_ message: String, _ status: Int32) -> Int32 {
      log.line("oauth-stdio: \(message)")
      log.flush()
      return status
    }
    let command: Command
    do throws(Options.Fault) {
      command = try Command(words, read: read)
    } catch {
      let method = words.first.flatMap { name in Methods.all.contains { $0.name == name } ? name + " " : nil } ?? ""
      return complain("\(error.message)\nSee oauth-stdio \(method)--help.", Status.wrongUsage)
    }
    if command.asksForHelp { return PosixFile.write(CommandHelp.text(of: command.method), to: 1) == 0 ? 0 : 1 }
    guard let streams = StandardStreams() else { return complain("standard output is closed", 1) }
    guard let (content, ending) = answer(to: command, options, log, start) else { return Status.wrongUsage }
    ending.finishCalls(status: report(content, to: streams.output, options, log))
    return 0
  }

  /// Prints what may stand in the place of the last word, one candidate a line.
  static func complete(_ words: [String], start: Start) -> Int32 {
    var ending: ShutdownSequence?
    let found = Completion.candidates(words) { arguments in
      // The names of the accounts that these options lead to.
      guard var options = try? Options(arguments), let command = try? Command([AccountsMethod.name], read: read) else { return [] }
      options.events = .none
      guard let answer = answer(to: command, options, Log(level: .error, .system), start) else { return [] }
      ending = answer.1
      guard case .result(let text) = answer.0 else { return [] }
      return (try? JSON.parse(text))?["accounts"]?.array?.compactMap { $0["account"]?.string } ?? []
    }
    let status: Int32 = PosixFile.write(found.map { $0 + "\n" }.joined(), to: 1) == 0 ? 0 : 1
    ending?.finishCalls(status: status)
    return status
  }

  /// Runs the method. Returns nil if the process cannot start, which the log says.
  private static func answer(to command: Command, _ options: Options, _ log: Log, _ start: Start) -> (Answer.Content, ShutdownSequence)? {
    guard let pipe = Pipe() else {
      log.line("oauth-stdio: no file descriptor is left")
      return nil
    }
    let answer = Answer()
    Thread.start { answer.read(pipe.reading) }
    let started = start(
      options, StandardStreams(output: pipe.writing), log, { Output(descriptor: pipe.writing, pinned: .lines, onBroken: $0) },
      { notifier(options, $0, log) })
    guard let (service, peer) = started else { return nil }
    peer.receive(.message(request(command), .lines))
    service.output.writeGathered()
    service.recentStates.forget()
    service.wasAnswered()
    return (answer.wait(), service.ending)
  }

  private static func request(_ command: Command) -> [UInt8] {
    JSON.object([
      .init("jsonrpc", "2.0"), .init("id", 1), .init("method", .string(command.method.name)), .init("params", .object(command.params)),
    ]).text
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

  /// Events go to standard error: as text, or with `--events json` as they are on the wire.
  private static func notifier(_ options: Options, _ output: Output, _ log: Log) -> Notifier {
    var choice = options.events
    // A person wants to know about this command only.
    if choice == .all { choice = .only(Set(Events.names).subtracting([AccountWasChanged.name])) }
    guard !options.showsJSONEvents else {
      return Notifier(output: Output(descriptor: 2, pinned: .lines, onBroken: {}), choice: choice)
    }
    return Notifier(output: output, choice: choice) { event in
      // A server chooses some of the words. They must not control a terminal.
      for (index, line) in event.lines.enumerated() { log.line((index == 0 ? "oauth-stdio: " : "") + line.plain) }
    }
  }

  /// Prints the answer and returns the exit status.
  private static func report(_ answer: Answer.Content, to output: Int32, _ options: Options, _ log: Log) -> Int32 {
    switch answer {
    case .result(let text):
      let shown = isatty(output) == 1 ? IndentedJSON.text(text) : text
      return PosixFile.write(String(decoding: shown, as: UTF8.self) + "\n", to: output) == 0 ? 0 : 1
    case .error(let error):
      if options.showsJSONEvents {
        log.line(String(decoding: JSON.object([.init("error", error)]).text, as: UTF8.self))
      } else {
        log.line("oauth-stdio: \(message(error))")
      }
      return status(error)
    }
  }

  /// Returns the error's message with what to do next.
  private static func message(_ error: JSON) -> String {
    var message = error["message"]?.string ?? ""
    // A fault in a param begins with its JSON pointer.
    if error["code"]?.integer == RPCError.invalidParamsCode, message.hasPrefix("/") { message = "--" + message.dropFirst() }
    guard let account = error["data"]?["account"]?.string, kind(error) == .signInRequired else { return message }
    return "\(message)\nSign in with: oauth-stdio authorize \(account)"
  }

  private static func kind(_ error: JSON) -> OAuthFailure.Kind? { error["data"]?["kind"]?.string.flatMap(OAuthFailure.Kind.init) }

  private static func status(_ error: JSON) -> Int32 {
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

/// The one answer of the process to itself.
private final class Answer: Sendable {
  enum Content {
    /// The JSON text of the result, unchanged.
    case result([UInt8])
    case error(JSON)
  }

  private static let head = Array(#"{"jsonrpc":"2.0","id":1,"result":"#.utf8)

  private let line = Mutex<[UInt8]>([])
  private let isRead = DispatchSemaphore(value: 0)

  /// Reads the answer's line. Blocks the thread.
  func read(_ descriptor: Int32) {
    let found = DescriptorInput.all(descriptor, until: UInt8(ascii: "\n")) ?? []
    line.withLock { $0 = found }
    isRead.signal()
  }

  func wait() -> Content {
    isRead.wait()
    let text = line.withLock { $0 }.dropLast()
    if text.starts(with: Self.head) { return .result(Array(text.dropFirst(Self.head.count).dropLast())) }
    return .error((try? JSON.parse(Array(text)))?["error"] ?? ["message": "the process gave no answer"])
  }
}
