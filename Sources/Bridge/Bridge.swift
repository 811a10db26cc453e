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
  private struct State {
    /// Settled when later messages may be sent: the server must know of the handshake first.
    var turn: Promise<Void>?
    var listener: Task<Void, Never>?
    /// Stores the server's last answer.
    var storing: Task<Void, Never>?
  }

  /// Milliseconds after which the host gets an answer to `initialize`, whatever the login is doing.
  private static let patience = 700
  /// Milliseconds that open requests get at the end of the host's messages, and seconds for the session's end: together less than 2 s.
  private static let lastAnswers = 400
  private static let lastSeconds = 1
  /// The requests with which hosts begin.
  static let firsts: [String?] = ["initialize", Stateless.discover]

  let transport: Transport
  let session = Session()
  let tools: Tools
  let clock: Clock
  let log: any LogSink
  let setup: Setup
  let open = OpenRequests()
  /// The requests of the bridge to the host that wait for an answer, by their ids.
  let questions = Mutex<[String: Promise<JSON>]>([:])
  let lastAnswer: ServerAnswer
  /// Whether nothing more of the server is taken.
  private let isEnding = Flag()
  private let state = Mutex(State())

  var login: Login { transport.login }

  package init(_ setup: Setup) {
    self.setup = setup
    (log, clock) = (setup.log, setup.accounts.clock)
    transport = Transport(setup.url, setup.headers, Login(setup, session))
    lastAnswer = ServerAnswer(url: setup.url, folder: setup.accounts.cache(of: setup.account))
    tools = Tools(allowed: setup.tools, ignored: setup.ignoredTools, log: setup.log)
  }

  // MARK: From the host

  /// Takes a line of the host. Does not wait.
  package func receive(_ line: [UInt8]) {
    guard var message = Message(line) else { return refuse("the line is not a message of JSON-RPC", code: -32700) }
    if takesAnswer(message) { return }
    // The host wants no answer any more, and the server may send one all the same.
    if message.method == "notifications/cancelled", let request = message.json["params"]?["requestId"].flatMap(open.take),
      request.isStateless || !request.isSent
    {
      return request.task?.cancel() ?? ()
    }
    guard open.add(&message, isStateless: session.translation != nil || Stateless.mayBe(message)) else {
      let (ids, failure) = (message.requests, Failure("this id stands twice in the line, or a request with it is open", code: -32600))
      for index in ids.indices where !ids[..<index].contains(ids[index]) { write(.error(failure, of: ids[index])) }
      return
    }
    let own: Promise<Void>? =
      switch message.method {
      case "initialize": message.requests.first.flatMap(open.request)?.answered
      case "notifications/initialized": Promise()
      default: nil
      }
    let former = state.withLock { state in own == nil ? state.turn : exchange(&state.turn, with: own) }
    open.note(
      Task { [message] in
        try? await former?.value()
        await forward(message)
        own?.settle(.success(()))
      }, of: message)
  }

  /// Answers a line of which no id is known.
  package func refuse(_ problem: String, code: Int = -32600) { write(.error(Failure(problem, code: code), of: .null)) }

  func forward(_ message: Message) async {
    let message = withoutOwnState(message)
    if let refusal = tools.refusal(of: message) {
      if message.requests.isEmpty { write(.error(refusal, of: .null)) }
      return fail(message, refusal)
    }
    if message.method == "initialize" { session.begin(with: message) }
    do {
      if Self.firsts.contains(message.method), await !login.isSettled(within: Self.patience) {
        answerHere(message)
        if message.method == "initialize" { _ = try await handshake(after: nil) }
        return
      }
      if session.isDue {
        // The handshake sends it.
        if message.method == "notifications/initialized" { return }
        if message.method == "ping" { return answer(message) { .result(.object([]), of: $0) } }
        _ = try await handshake(after: nil)
      }
      try await send(message)
    } catch let needed as Login.Needed {
      await signIn(needed, for: message)
    } catch {
      // Without a network, during a deploy or with a locked keyring, the host gets what the server last said.
      let failure = failure(error)
      let isOutage = failure.status ?? 0 >= 500 && Self.firsts.contains(message.method)
      if isOutage, isOpen(message), lastAnswer.stored(for: message) != nil { answerHere(message) }
      if !(error is CancellationError) || isOpen(message) { fail(message, failure) }
      if isOutage { await handshakeLater() }
    }
  }

  private func send(_ message: Message) async throws {
    if let translation = session.translation, !Stateless.mayBe(message) {
      switch translation.translated(message) {
      case .send(let request): return try await RoundTrips(bridge: self, request: request).run()
      case .answer(let result): return answer(message) { .result(result, of: $0) }
      }
    }
    if let events = session.events { return try await events.send(message) }
    do {
      let isFirst = message.method == "initialize"
      let exchange = Exchange(bridge: self, message: message) { isFirst && Failure(json: $0.json["error"] ?? .null).isOnlyStateless }
      if let error = try await exchange.run()?["error"] { throw Failure(json: error) }
      if message.method == "notifications/initialized" { listen() }
    } catch let failure as Failure where message.method == "initialize" && failure.status.map(EventTransport.signs.contains) == true {
      guard let answer = try await beginEvents(with: message) else { throw failure }
      self.answer(message) { _ in answer }
    } catch let failure as Failure where message.method == "initialize" && failure.isOnlyStateless {
      let answer = try await discover(for: message).answer
      self.answer(message) { _ in answer }
    }
  }

  // MARK: From the server

  /// Whether more of the server is taken.
  var hasRoom: @Sendable () -> Bool { { [self] in setup.hasRoom() && !isEnding.isSet } }

  /// Returns what takes a response of the server.
  func reception(after former: Reception? = nil, wasOpen: Flag? = nil) -> Reception {
    Reception(after: former, wasOpen: wasOpen, hasRoom: hasRoom) { [self] message, session in deliver(message, session: session) }
  }

  /// Hands a message of the server to the host. An answer that no request waits for is dropped. `session` is what the response's head names.
  func deliver(_ message: Message, session: String?) {
    // Hosts of 2025-06-18 and later know no batches.
    guard message.envelope.array == nil else {
      for one in message.json.array ?? [] { deliver(Message(one), session: session) }
      return
    }
    guard tools.admits(message) else {
      return log.take(.init(.debug, "a message of the MCP server was dropped: it can be read in two ways"))
    }
    var shown = login.hidingToken(in: message)
    guard case .response(let id) = message.parts[0] else { return write(shown) }
    // The server may answer a cancelled request.
    guard let request = open.take(id) else { return log.take(.init(.debug, "an answer was dropped: no request waits for it")) }
    switch request.method {
    case "initialize":
      shown = translating(shown)
      agree(on: shown, session)
    case Stateless.discover: if let result = shown.json["result"] { store(result, for: .notification(Stateless.discover)) }
    case "tools/list": shown = tools.admitted(shown, isStateless: request.isStateless)
    default: break
    }
    answer(request, with: shown)
  }

  func write(_ message: Message) { setup.write(message.bytes) }

  // MARK: Answers

  func isOpen(_ message: Message) -> Bool { open.contains(message) }

  /// Sends a message of the host, unless it has cancelled it meanwhile.
  func post(_ message: Message, _ headers: [HTTPHeader], to place: URLParts? = nil, into reception: Reception? = nil) async throws
    -> HTTPResponse
  {
    try await transport.send(
      "POST", headers, to: place, body: message.bytes, into: reception, isUrgent: message.requests.isEmpty || message.method == "ping",
      begin: { [open] in try open.send(message) })
  }

  func answer(_ request: OpenRequests.Request, with message: Message) {
    write(message)
    request.answered.settle(.success(()))
  }

  /// Answers the requests of the message that are open.
  func answer(_ message: Message, with answer: (_ id: JSON) -> Message) {
    for request in open.take(message) { self.answer(request, with: answer(request.id)) }
  }

  func fail(_ message: Message, _ failure: Failure) {
    // A cancelled request has been taken.
    guard !Task.isCancelled else { return }
    log.take(.messageNotForwarded(method: message.method ?? "a message", reason: failure.message))
    answer(message) { .error(failure, of: $0) }
  }

  // MARK: The session

  /// Lets the end wait for it.
  func wait(for storing: Task<Void, Never>) { state.withLock { $0.storing = storing } }

  /// Opens the stream of the session, on which the server sends what belongs to no request.
  func listen() {
    state.withLock { state in
      // Read under the lock: of two calls, the last one must listen to the latest session.
      let agreement = session.agreement
      let task = Task { [self] in
        let end = await Subscription(bridge: self, agreement: agreement).run()
        if case .forgotten = end { _ = try? await handshake(after: agreement) }
      }
      return exchange(&state.listener, with: task)
    }?.cancel()
  }

  /// Waits a moment for the last answers, and ends the session. With `isUrgent`, no answer is awaited.
  package func end(isUrgent: Bool) async {
    let deadline = clock.uptime() + (isUrgent ? 0 : Self.lastAnswers)
    for request in open.all {
      let cancel = clock.schedule(max(0, deadline - clock.uptime())) { request.answered.settle(.success(())) }
      try? await request.answered.value()
      cancel()
    }
    isEnding.set()
    state.withLock { $0.listener }?.cancel()
    await state.withLock { $0.storing }?.value
    guard let agreement = session.end(), agreement.id != nil else { return }
    _ = try? await clock.withTimeout(Self.lastSeconds) { [transport] in try await transport.send("DELETE", agreement.headers) }
  }
}
