import Dispatch
import JSONRPC
import Jansson
import Methods
import OAuthCore
import Plans
import Platform
import Synchronization

/// The process as its own client: sends requests and waits for their answers.
///
/// Commands use the same methods as clients, so limits, the audit file and the end of the process are the same.
final class CommandSession: Sendable {
  enum Answer {
    /// The JSON text of the result.
    case result([UInt8])
    case error(Failure)
  }

  /// An error as the wire has it, with what a command says in its own words.
  struct Failure {
    let shown: RPCError
    /// nil for an error of the protocol or of a param.
    let failure: OAuthFailure?
    /// The fault in a param; nil if the error is another one.
    let field: FieldError?

    init(_ error: any Error, _ shown: RPCError) {
      self.shown = shown
      failure =
        error as? OAuthFailure ?? (error as? OAuthFailure.Reported)?.failure ?? (error as? AuthorizationInput.Fault)?.failure
      field = error as? FieldError ?? (error as? AuthorizationInput.Fault)?.failure.field
    }

    /// A member of the error's data.
    subscript(_ member: String) -> JSON? { shown.data?[member] }
  }

  /// The options of the process. A command that the user is advised to type needs them, too.
  let arguments: [String]
  let service: Service
  private let peer: Peer<Service>

  var shutdown: ShutdownSequence { service.shutdown }
  var configuration: ConfigurationFile { service.configuration }
  var limits: Limits { service.limits }
  var catalog: ProviderCatalog { service.catalog }

  /// Returns nil if the process cannot start, which the log says.
  init?(_ options: Options, _ log: Log, _ streams: StandardStreams = StandardStreams(output: -1), notifier: Notifier) {
    guard let (service, peer) = Assembly.start(options, streams, log, notifier) else { return nil }
    (self.service, self.peer, arguments) = (service, peer, options.arguments)
  }

  /// Lets these members count as the account's entry in the configuration, before those that it has there.
  func configure(_ account: String, by members: [JSON.Member]) throws(Options.Fault) {
    let written = entry(of: account)?.members ?? []
    // What is there goes only to the provider beside it.
    if !written.isEmpty, let place = members.first(where: { ["provider", "variables"].contains($0.name) }) {
      throw Options.Fault("/\(place.name) is the configuration's for this account: leave it out, or name another account")
    }
    let others = written.filter { item in !members.contains { $0.name == item.name } }
    do throws(FieldError) {
      var entry = try ConfiguredAccount.read(.object(members + others), at: "")
      entry.place = (account, configuration.file)
      service.accounts.configure(by: entry)
    } catch {
      throw Options.Fault("\(error.path) \(error.wholeProblem)")
    }
  }

  private func entry(of account: String) -> JSON? { (try? configuration.file.read())??["accounts"]?[account] }

  /// Whether the account's entry names a provider.
  func namesProvider(of account: String) -> Bool { entry(of: account)?["provider"].map { $0 != .null } == true }

  /// Whether the account's token is the client's own, for which no user signs in.
  func isForClient(_ account: String) -> Bool { (try? service.accounts.isForClient(account)) == true }

  /// Sends a request and waits for its answer. Blocks the thread.
  func request(_ method: String, _ params: [JSON.Member]) -> Answer { Self.wait { send(method, params, then: $0) } }

  /// Does work that no method does, and waits for its end. Blocks the thread.
  static func waiting<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
    wait { done in Task { done(await work()) } }
  }

  /// Begins work and waits for the value that it hands over.
  private static func wait<Value: Sendable>(_ begin: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let found = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    begin { value in
      found.withLock { $0 = value }
      isThere.signal()
    }
    isThere.wait()
    guard let value = found.withLock({ $0 }) else { preconditionFailure("the work has ended") }
    return value
  }

  /// Sends a request. `then` gets its answer on this thread if it needs no wait, else on another one, which it must not block. A cancelled request
  /// has none.
  func send(_ method: String, _ params: [JSON.Member], as id: Request.ID? = nil, then: @escaping @Sendable (Answer) -> Void) {
    let request = Request(id: id ?? .integer(service.session.nextID()), method: method, params: params.isEmpty ? .none : .members(params))
    peer.handle(request) { outcome in
      then(answer(outcome))
    } later: { [self] outcome in
      if let outcome { then(answer(outcome)) }
    }
    service.framesWereReceived()
  }

  func failure(_ error: any Error) -> Failure { Failure(error, peer.rpcError(error)) }

  func cancel(_ id: Request.ID) { service.session.cancel(id, silently: true) }

  private func answer(_ outcome: Peer<Service>.Outcome) -> Answer {
    switch outcome {
    case .success(let result):
      var writer = JSONWriter()
      if let result { result.write(to: &writer) } else { writer.null() }
      return .result(writer.bytes)
    case .failure(let error): return .error(failure(error))
    }
  }
}

/// Text about accounts for commands.
extension CommandSession {
  /// The program as the user started it. Without its options, an advised command may look for the account in another place.
  var program: String { ShellWord.command(arguments) }

  /// The same with the options that say where the accounts are, and without those that limit what a client may do.
  var placedProgram: String {
    let names = ["--config", "--store", "--trust-owner"]
    let remaining = arguments.enumerated().filter { index, word in
      names.contains { word == $0 || word.hasPrefix($0 + "=") } || index > 0 && names.contains(arguments[index - 1])
    }
    return ShellWord.command(remaining.map(\.element))
  }

  /// The names of the accounts that are stored or configured.
  var accounts: [String] { accounts { _ in true } }

  func accounts(where isWanted: (JSON) -> Bool) -> [String] {
    guard case .result(let text) = request(Methods.accounts, []) else { return [] }
    return (try? JSON.parse(text))?["accounts"]?.array?.filter(isWanted).compactMap { $0["account"]?.string } ?? []
  }

  /// Whether the configuration or the store has the account; nil if that cannot be told.
  func hasAccount(_ account: String) -> Bool? {
    guard case .result(let text) = request(Methods.account, [.init("account", .string(account))]) else { return nil }
    return Self.hasAccount(in: (try? JSON.parse(text)) ?? .null)
  }

  /// Whether a result of `account` is about an account that is configured or stored.
  static func hasAccount(in state: JSON) -> Bool { state["configured"] != nil || state["provider"] != nil }

  /// Returns the message that there is no such account, with the name that may be meant, or else with `advice` or how to sign in.
  func noAccount(_ account: String, advice: String? = nil) -> String {
    let message = "there is no account \(account.plain)"
    let question = Suggestion.question(account, among: accounts)
    if !question.isEmpty { return message + question }
    return message + (advice ?? ". Sign in with: \(program) \(catalog.login(Suggestion.of(account, among: catalog.names) ?? account))")
  }
}
