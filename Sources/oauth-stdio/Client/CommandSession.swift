import Dispatch
import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Platform
import Synchronization

/// The process as its own client: sends requests and waits for their answers.
///
/// Commands use the same way as clients, so limits, the audit file and the end of the process are the same.
final class CommandSession: Sendable {
  /// Prepares the process, as `Program.start` does.
  typealias Start = (
    Options, StandardStreams, Log, (_ onBroken: @escaping @Sendable () -> Void) -> Output, (Output) -> Notifier
  ) -> (Service, Peer<Service>)?

  enum Answer {
    /// The JSON text of the result, unchanged.
    case result([UInt8])
    case error(JSON)
  }

  private struct State {
    var lastID = 0
    var waiting: [Int: @Sendable (Answer) -> Void] = [:]
  }

  /// The options of the process. A command that the user is advised to type needs them, too.
  let arguments: [String]
  private let service: Service
  private let peer: Peer<Service>
  private let state = Mutex(State())
  /// Held while a message is passed to the peer.
  private let sending = Mutex(())
  /// Entered by each request until its answer was handed over.
  private let open = DispatchGroup()

  var shutdown: ShutdownSequence { service.shutdown }
  var configuration: ConfigurationFile { service.configuration }
  var limits: Limits { service.limits }
  var catalog: ProviderCatalog { service.catalog }

  /// Returns nil if the process cannot start, which the log says.
  init?(_ options: Options, _ log: Log, start: Start, notifier: @escaping (Output) -> Notifier) {
    guard let pipe = Pipe() else {
      log.line("oauth-stdio: no file descriptor is left")
      return nil
    }
    let started = start(
      options, StandardStreams(output: pipe.writing), log, { Output(descriptor: pipe.writing, pinned: .lines, onBroken: $0) }, notifier)
    guard let (service, peer) = started else { return nil }
    (self.service, self.peer, arguments) = (service, peer, options.arguments)
    // An answer may be longer than what a pipe holds, so a thread other than the sender reads it.
    Thread.start { [self] in read(pipe.reading) }
  }

  /// Sends a request and waits for its answer. Blocks the thread.
  func request(_ method: String, _ params: [JSON.Member]) -> Answer {
    let found = Mutex<Answer?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    send(method, params) { answer in
      found.withLock { $0 = answer }
      isThere.signal()
    }
    isThere.wait()
    return found.withLock { $0 } ?? .error([:])
  }

  /// Waits until all answers are handed over, at most `milliseconds`. Blocks the thread.
  func waitForAnswers(milliseconds: Int) { _ = open.wait(timeout: .now() + .milliseconds(milliseconds)) }

  /// Does work that no method does, and waits for its end. Blocks the thread.
  func waiting<Value: Sendable>(_ work: @escaping @Sendable (Service) async -> Value) -> Value {
    let found = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    let task = Task { [service] in
      let value = await work(service)
      found.withLock { $0 = value }
      isThere.signal()
    }
    withExtendedLifetime(task) { isThere.wait() }
    guard let value = found.withLock({ $0 }) else { preconditionFailure("the work has ended") }
    return value
  }

  /// Returns an id for a request.
  func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Sends a request. `then` gets its answer on another thread.
  func send(_ method: String, _ params: [JSON.Member], as id: Int? = nil, then: @escaping @Sendable (Answer) -> Void) {
    let id = id ?? nextID()
    state.withLock { $0.waiting[id] = then }
    open.enter()
    receive(method, params, [.init("id", .integer(id))])
  }

  /// Cancels a request. It is answered with an error.
  func cancel(_ id: Int) { receive(CancelRequest.name, [.init("id", .integer(id))], []) }

  private func receive(_ method: String, _ params: [JSON.Member], _ id: [JSON.Member]) {
    let message = JSON.object([.init("jsonrpc", "2.0")] + id + [.init("method", .string(method)), .init("params", .object(params))])
    sending.withLock { _ in
      peer.receive(.message(message.text, .lines))
      service.framesWereReceived()
    }
  }

  /// Hands the answers over.
  private func read(_ descriptor: Int32) {
    var rest: [UInt8] = []
    while let piece = DescriptorInput.piece(descriptor), !piece.isEmpty {
      rest += piece
      // The text of an answer has no line end, and most answers arrive in one piece.
      guard rest.last == UInt8(ascii: "\n") else { continue }
      for line in rest.split(separator: UInt8(ascii: "\n")) { take(Array(line)) }
      rest = []
    }
  }

  private func take(_ line: [UInt8]) {
    // The bytes of a result stay as they are. Only what precedes them is looked at.
    let head = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    let digits = line.dropFirst(head.count).prefix { $0 != UInt8(ascii: ",") }
    guard line.starts(with: head), let id = Int(String(decoding: digits, as: UTF8.self)),
      let then = state.withLock({ $0.waiting.removeValue(forKey: id) })
    else { return }
    defer { open.leave() }
    let name = Array(#","result":"#.utf8)
    let body = line[digits.endIndex...]
    guard body.starts(with: name) else { return then(.error((try? JSON.parse(line))?["error"] ?? [:])) }
    then(.result(Array(body.dropFirst(name.count).dropLast())))
  }
}

/// Text about accounts for commands.
extension CommandSession {
  /// The program as the user started it. Without its options, an advised command may look for the account in another place.
  var program: String { ShellWord.command(arguments) }

  /// The same with the options that say where the accounts are, and without those that limit what a client may do.
  var placedProgram: String {
    let names = ["--config", "--store", "--trust-owner"]
    let kept = arguments.enumerated().filter { index, word in
      names.contains { word == $0 || word.hasPrefix($0 + "=") } || index > 0 && names.contains(arguments[index - 1])
    }
    return ShellWord.command(kept.map(\.element))
  }

  /// The names of the accounts that are stored or configured.
  var accounts: [String] {
    guard case .result(let text) = request(AccountsMethod.name, []) else { return [] }
    return (try? JSON.parse(text))?["accounts"]?.array?.compactMap { $0["account"]?.string } ?? []
  }

  /// Returns the message that there is no such account, with the name that may be meant, or else with `advice` or how to sign in.
  func noAccount(_ account: String, advice: String? = nil) -> String {
    let message = "there is no account \(account.plain)"
    let question = Suggestion.question(account, among: accounts)
    if !question.isEmpty { return message + question }
    return message + (advice ?? ". Sign in with: \(program) \(catalog.login(account))")
  }
}
