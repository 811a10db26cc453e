import HTTP
import Jansson
import OAuth
import OAuthCore
import Platform
import Synchronization

/// Joins an MCP host on standard input and output with a server of Streamable HTTP.
///
/// A line of the host becomes a task: `receive` → `forward` → `Exchange` → `Transport`. What the server sends comes back through `Reception` to
/// `deliver`, which writes it to the host.
package final class Bridge: Sendable {
  /// What a bridge is made of.
  package struct Setup: Sendable {
    package let url: URLParts
    package let account: String
    package let accounts: Accounts
    package let limits: Limits
    package let log: any LogSink
    /// The user's own headers.
    package var headers: [HTTPHeader] = []
    /// The folder of the servers' last answers; nil stores none.
    package var cache: String?
    /// Writes a message to the host.
    package let write: @Sendable ([UInt8]) -> Void
    /// Whether the host reads what it gets.
    package let hasRoom: @Sendable () -> Bool

    package init(
      url: URLParts, account: String, accounts: Accounts, limits: Limits, log: any LogSink, write: @escaping @Sendable ([UInt8]) -> Void,
      hasRoom: @escaping @Sendable () -> Bool
    ) {
      (self.url, self.account, self.accounts, self.limits, self.log) = (url, account, accounts, limits, log)
      (self.write, self.hasRoom) = (write, hasRoom)
    }
  }

  /// A request of the host without an answer.
  private struct Request: Sendable {
    let id: JSON
    let method: String
    let answered = Promise<Void>()
  }

  private struct State {
    var open: [String: Request] = [:]
    /// Settled when later messages may be sent: the server must know of the handshake first.
    var turn: Promise<Void>?
    var listener: Task<Void, Never>?
    /// Stores the server's last answer.
    var storing: Task<Void, Never>?
  }

  /// Milliseconds after which the host gets an answer to `initialize`, whatever the login is doing.
  private static let patience = 700
  /// Milliseconds that open requests get at the end of the host's messages, and seconds for the session's end: together less than 2 s.
  private static let lastAnswers = 700
  private static let lastSeconds = 1

  let transport: Transport
  let session = Session()
  let clock: Clock
  let log: any LogSink
  private let setup: Setup
  let lastAnswer: ServerAnswer
  private let state = Mutex(State())

  var login: Login { transport.login }

  package init(_ setup: Setup) {
    self.setup = setup
    (log, clock) = (setup.log, setup.accounts.clock)
    transport = Transport(setup.url, setup.headers, Login(setup))
    lastAnswer = ServerAnswer(url: setup.url, folder: setup.cache)
  }

  /// Returns the name of the account of a server: its host and path. Servers of one host may want different logins.
  package static func account(of url: URLParts) -> String {
    url.hostAndPort + (url.path.hasSuffix("/") ? url.path.dropLast() : url.path[...])
  }

  // MARK: From the host

  /// Takes a line of the host. Does not wait.
  package func receive(_ line: [UInt8]) {
    guard let message = Message(line) else {
      return write(.error(Failure("the line is not a message of JSON-RPC", code: -32700), of: .null))
    }
    let (isNew, former, own) = state.withLock { state -> (Bool, Promise<Void>?, Promise<Void>?) in
      guard !message.requests.contains(where: { state.open[$0.line] != nil }) else { return (false, nil, nil) }
      var own: Promise<Void>?
      for case .request(let id, let method) in message.parts {
        let request = Request(id: id, method: method)
        state.open[id.line] = request
        if method == "initialize" { own = request.answered }
      }
      if message.method == "notifications/initialized" { own = Promise() }
      let former = state.turn
      if let own { state.turn = own }
      return (true, former, own)
    }
    guard isNew else {
      for id in message.requests { write(.error(Failure("a request with this id is open", code: -32600), of: id)) }
      return
    }
    Task {
      try? await former?.value()
      await forward(message)
      own?.settle(.success(()))
    }
  }

  private func forward(_ message: Message) async {
    if message.method == "initialize" { session.begin(with: message) }
    // The host wants no answer any more, and the server may send one all the same.
    if message.method == "notifications/cancelled", let id = message.json["params"]?["requestId"] { _ = take(id) }
    do {
      if message.method == "initialize", await !login.isSettled(within: Self.patience) {
        answerHere(message)
        _ = try await handshake(after: nil)
        return announceLists()
      }
      if session.isDue {
        // The handshake sends it.
        if message.method == "notifications/initialized" { return }
        if message.method == "ping" { return message.requests.forEach { answer($0, with: .result(.object([]), of: $0)) } }
        _ = try await handshake(after: nil)
      }
      try await Exchange(bridge: self, message: message).run()
      if message.method == "notifications/initialized" { listen(session.agreement) }
    } catch let needed as Login.Needed {
      await signIn(needed, for: message)
    } catch {
      fail(message, failure(error))
    }
  }

  // MARK: From the server

  /// Returns what takes a response of the server.
  func reception(after former: Reception? = nil) -> Reception {
    Reception(after: former, hasRoom: setup.hasRoom) { [self] message, session in deliver(message, session: session) }
  }

  /// Hands a message of the server to the host. An answer that no request waits for is dropped. `session` is what the response's head names.
  func deliver(_ message: Message, session: String?) {
    var (wanted, answered): (Bool, [Request]) = (false, [])
    for part in message.parts {
      guard case .response(let id) = part else {
        wanted = true
        continue
      }
      guard let request = take(id) else { continue }
      wanted = true
      answered.append(request)
      if request.method == "initialize" { agree(on: message, session) }
    }
    guard wanted else { return log.take(.answerDropped) }
    write(message)
    for request in answered { request.answered.settle(.success(())) }
  }

  func write(_ message: Message) { setup.write(message.bytes) }

  // MARK: Open requests

  /// Whether a request of the message has no answer.
  func isOpen(_ message: Message) -> Bool { state.withLock { state in message.requests.contains { state.open[$0.line] != nil } } }

  /// Takes the request that an answer is for, so that no other one follows.
  private func take(_ id: JSON) -> Request? { state.withLock { $0.open.removeValue(forKey: id.line) } }

  func fail(_ message: Message, _ failure: Failure) {
    log.take(.messageNotForwarded(method: message.method ?? "a message", reason: failure.message))
    for id in message.requests { answer(id, with: .error(failure, of: id)) }
  }

  /// Answers an open request. Returns false if it has an answer.
  func answer(_ id: JSON, with message: Message) {
    guard let request = take(id) else { return }
    write(message)
    request.answered.settle(.success(()))
  }

  /// Returns the method of an open request.
  func method(of id: JSON) -> String? { state.withLock { $0.open[id.line]?.method } }

  /// Returns an error for the host.
  func failure(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let failure as HTTPFailure: Failure(OAuthFailure(failure).message)
    case let failure as OAuthFailure: Failure(failure.message, data: ["kind": .string(failure.kind.rawValue)])
    case let reported as OAuthFailure.Reported: self.failure(reported.failure)
    default: Failure("the bridge is ending")
    }
  }

  // MARK: The session

  /// Returns a newer session than that of `former`, which the server has forgotten.
  func handshake(after former: Session.Agreement?) async throws -> Session.Agreement {
    try await session.renewed(after: former) { [self] initialize in
      let answer = Mutex<Session.Agreement?>(nil)
      let reception = Reception(hasRoom: { true }) { [self] message, id in
        guard case .response = message.parts[0], let agreement = agree(on: message, id) else { return }
        answer.withLock { $0 = agreement }
      }
      let response = try await transport.send("POST", [], body: initialize.bytes, into: reception)
      reception.finish()
      guard let agreement = answer.withLock({ $0 }) else {
        throw Failure("\(transport.url.hostAndPort) answered \(response.status) to initialize")
      }
      _ = try await transport.send("POST", agreement.headers, body: Message.notification("notifications/initialized").bytes)
      listen(agreement)
      return agreement
    }
  }

  /// Notes the server's answer to `initialize`. Returns nil if it is an error.
  @discardableResult private func agree(on answer: Message, _ id: String?) -> Session.Agreement? {
    let json = answer.json
    guard let result = json["result"] else { return nil }
    if let initialize = session.initialize {
      let storing = Task { [lastAnswer] in await Blocking.run { lastAnswer.store(result, for: initialize) } }
      state.withLock { $0.storing = storing }
    }
    return session.agree(on: json, session: id)
  }

  /// Opens the stream of the session, on which the server sends what belongs to no request.
  private func listen(_ agreement: Session.Agreement?) {
    let task = Task { [self] in
      let end = await Subscription(bridge: self, agreement: agreement).run()
      if case .forgotten = end { _ = try? await handshake(after: agreement) }
    }
    state.withLock { exchange(&$0.listener, with: task) }?.cancel()
  }

  /// Waits a moment for the last answers, and ends the session. With `isUrgent`, no answer is awaited.
  package func end(isUrgent: Bool) async {
    let deadline = clock.uptime() + (isUrgent ? 0 : Self.lastAnswers)
    for request in state.withLock({ Array($0.open.values) }) {
      let cancel = clock.schedule(max(0, deadline - clock.uptime())) { request.answered.settle(.success(())) }
      try? await request.answered.value()
      cancel()
    }
    state.withLock { $0.listener }?.cancel()
    await state.withLock { $0.storing }?.value
    guard let agreement = session.end(), agreement.id != nil else { return }
    _ = try? await transport.send("DELETE", agreement.headers, timeout: Self.lastSeconds)
  }
}
