import HTTP
import Jansson
import OAuthCore
import Plans
import Platform
import Synchronization

/// Agreeing with the server.
extension Bridge {
  /// Returns a newer session than that of `former`, which the server has forgotten. A host whose `initialize` was answered here looks again.
  func handshake(after former: Session.Agreement?) async throws -> Session.Agreement {
    try await session.renewed(after: former) { [self] initialize in
      let wasDue = session.isDue
      defer { if wasDue, !session.isDue { announceLists() } }
      let (response, answer) = try await exchange(initialize, Session.firstHeaders)
      if let error = answer?.message.json["error"], Failure(json: error).isOnlyStateless {
        return try await discover(for: initialize).agreement
      }
      if EventTransport.signs.contains(response.status), try await beginEvents(with: initialize) != nil {
        try await session.events?.send(.notification("notifications/initialized"))
        return session.agreement ?? .init()
      }
      guard let answer, let agreement = agree(on: answer.message, answer.session) else {
        throw Failure("\(transport.url.hostAndPort) answered \(response.status) to initialize", status: response.status)
      }
      _ = try await transport.send("POST", agreement.headers, body: Message.notification("notifications/initialized").bytes)
      listen()
      return agreement
    }
  }

  /// Begins with the transport of 2024-11-05. Returns the answer to `initialize`; nil if the server does not know that transport.
  func beginEvents(with initialize: Message) async throws -> Message? {
    let events = EventTransport(self)
    guard let answer = try await events.begin(with: initialize) else { return nil }
    session.use(events)
    agree(on: answer, nil)
    return answer
  }

  /// Sends a request of the bridge, and returns its answer.
  private func exchange(_ request: Message, _ headers: [HTTPHeader]) async throws -> (HTTPResponse, (message: Message, session: String?)?) {
    let answer = Mutex<(message: Message, session: String?)?>(nil)
    let reception = Reception(hasRoom: { true }) { [login] message, session in
      if case .response = message.parts[0] { answer.withLock { $0 = (login.hidingToken(in: message), session) } }
    }
    let response = try await transport.send("POST", headers, body: request.bytes, into: reception)
    reception.finish()
    let found = answer.withLock { $0 } ?? Message(response.body).map { (login.hidingToken(in: $0), nil) }
    if found == nil, 200..<300 ~= response.status { throw lost(reception) }
    return (response, found)
  }

  /// Does the handshake that the host's first request has missed when the server is there, unless another request does it before.
  func handshakeLater() async {
    for pause in sequence(first: 1, next: { min($0 * 2, 30) }) {
      guard session.isDue, (try? await clock.sleep(seconds: pause)) != nil else { return }
      // Where the user must sign in, the host's next request opens the page.
      do { if session.isDue { _ = try await handshake(after: nil) } } catch is Login.Needed { return } catch {}
    }
  }

  /// Begins to translate for a server of 2026-07-28 alone. Returns the answer to `initialize` as well.
  func discover(for initialize: Message) async throws -> (agreement: Session.Agreement, answer: Message) {
    guard let id = initialize.requests.first else { throw Failure("initialize must be a request") }
    let translation = Translation(initialize.json["params"] ?? .null)
    let request = Stateless.request(Stateless.discover, id: id, meta: translation.meta)
    let (response, answer) = try await exchange(request, Stateless.headers(of: request, tools) ?? [])
    guard let found = answer?.message.json["result"] else {
      throw Failure("\(transport.url.hostAndPort) answered \(response.status) to \(Stateless.discover)")
    }
    let message = Message.result(translation.result(found, for: initialize), of: id)
    session.translate(translation)
    return (agree(on: message, nil) ?? .init(), message)
  }

  /// Begins to translate if a server answers `initialize` with 2026-07-28, which has no handshake. Returns the answer as the host can read it.
  func translating(_ answer: Message) -> Message {
    let (json, params) = (answer.json, session.initialize?.json["params"])
    guard let result = json["result"], result["protocolVersion"]?.string == MCPVersion.stateless, let params,
      let asked = params["protocolVersion"], asked.string != MCPVersion.stateless
    else { return answer }
    session.translate(Translation(params))
    return Message(json.replacing("result", by: result.replacing("protocolVersion", by: asked)))
  }

  /// Learns the tools of a server that missed a header.
  func learnTools(like call: Message) async throws {
    let meta = call.json["params"]?["_meta"] ?? .object([])
    var cursor: JSON?
    for _ in 0..<Self.longestList {
      let page = Stateless.request("tools/list", id: "oauth-stdio", cursor.map { [.init("cursor", $0)] } ?? [], meta: meta)
      let list = try await exchange(page, Stateless.headers(of: page, tools) ?? []).1?.message
      if let list { _ = tools.admitted(list, isStateless: true) }
      cursor = list?.json["result"]?["nextCursor"]
      if cursor == nil { return }
    }
  }

  /// Pages of a list of tools.
  private static let longestList = 50

  /// Stores the server's answer for a later start.
  func store(_ result: JSON, for request: Message) {
    wait(for: Task { [lastAnswer] in await Blocking.run { lastAnswer.store(result, for: request) } })
  }

  /// Notes the server's answer to `initialize`. Returns nil if it is an error.
  @discardableResult func agree(on answer: Message, _ id: String?) -> Session.Agreement? {
    let json = answer.json
    guard let result = json["result"] else { return nil }
    if let initialize = session.initialize { store(result, for: initialize) }
    return session.agree(on: json, session: id)
  }
}

/// What the host learns of a failure.
extension Bridge {
  func failure(_ error: any Error) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let failure as HTTPFailure: self.failure(OAuthFailure(failure))
    case let failure as OAuthFailure:
      Failure(
        Self.advised(failure.message, failure.kind == .timedOut ? nil : failure.networkAdvice),
        data: ["kind": .string(failure.kind.rawValue)],
        status: failure.isRetryable || failure.kind == .networkFailure ? 503 : nil)
    case let reported as OAuthFailure.Reported: self.failure(reported.failure)
    case let fault as AuthorizationInput.Fault: self.failure(fault.failure)
    case let fault as FieldError: Failure(Self.advised("the account \(login.account) of the configuration: \(fault.message)"))
    default: Failure("the bridge is ending")
    }
  }

  /// Returns the message with what the user can do: about the network, and for a server that registers no clients or knows no OAuth.
  private static func advised(_ message: String, _ advice: String? = nil) -> String {
    if let advice {
      // Hosts hand few variables to the programs that they start.
      return "\(message): \(advice)\(advice.contains("_") ? " (in a host, in env of the server's entry)" : "")"
    }
    guard ["clientId", "no metadata"].contains(where: message.contains) else { return message }
    return message + ". Add --client-id ID of a client of yours, or --header 'NAME: ${VARIABLE}' if the server takes a key or a token"
  }

  /// Returns why a success has no answer.
  func lost(_ reception: Reception) -> Failure {
    let host = transport.url.hostAndPort
    if reception.isTooLong { return Failure("the answer of \(host) is longer than \(Reception.messageLimit >> 20) MiB") }
    if reception.isGivenUp { return Failure("\(host) is silent and does not answer. The request may have been carried out") }
    if reception.isBroken { return Failure("the answer of \(host) is not a message of JSON-RPC") }
    if reception.isStream { return Failure("the stream of \(host) ended without an answer. The request may have been carried out") }
    guard reception.hasBody else { return Failure("\(host) sent no answer") }
    let shown = reception.type.isEmpty ? "a body without a Content-Type" : reception.type
    guard reception.type == "text/html" else { return Failure("\(host) sent \(shown) instead of an answer: check the URL") }
    // The status by which such a network says it (RFC 6585, 6).
    return Failure("\(host) sent a page instead of an answer: the network may want a sign-in, or the URL is wrong", status: 511)
  }
}
