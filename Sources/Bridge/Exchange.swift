import Jansson
import OAuthCore
import Synchronization

/// One message of the host on its way: the POST, the streams that continue its answer, and each request's one answer.
final class Exchange: Sendable {
  private let bridge: Bridge
  private let message: Message
  /// Whether an answer of the server is not for the host.
  private let holds: @Sendable (Message) -> Bool
  private let held = Mutex<JSON?>(nil)
  /// The last response with another id, and its error.
  private let stray = Mutex<(id: JSON, error: JSON?)?>(nil)

  init(bridge: Bridge, message: Message, holds: @escaping @Sendable (Message) -> Bool) {
    (self.bridge, self.message, self.holds) = (bridge, message, holds)
  }

  /// Returns when each request of the message is answered: nil, or the answer that is not for the host. Throws why the server's answer is missing.
  func run() async throws -> JSON? {
    if let headers = Stateless.headers(of: message, bridge.tools) {
      try await runAlone(headers, isRepeated: false)
    } else {
      try await run(in: bridge.session.agreement, isRepeated: false)
    }
    return held.withLock { $0 }
  }

  /// Returns what takes the response.
  private func reception() -> Reception {
    Reception(hasRoom: bridge.hasRoom) { [self] answer, session in
      guard answer.envelope["id"] == message.sentID ?? message.requests.first, answer.method == nil else {
        if case .response(let id) = answer.parts[0] { stray.withLock { $0 = (id, bridge.login.hidingToken(in: answer).json["error"]) } }
        return bridge.deliver(answer, session: session)
      }
      if holds(answer) { return held.withLock { $0 = bridge.login.hidingToken(in: answer).json } }
      let renamed = message.sentID == nil ? nil : message.requests.first.map { Message(answer.json.replacing("id", by: $0)) }
      bridge.deliver(renamed ?? answer, session: session)
    }
  }

  /// Returns why the answer is missing. Some servers send an error without an id, or the id as a text.
  private func lost(_ reception: Reception) -> Failure {
    guard let (id, error) = stray.withLock(\.self) else { return bridge.lost(reception) }
    if id == .null, let error, error["code"]?.integer != nil { return Failure(json: error) }
    return Failure("\(bridge.transport.url.hostAndPort) answered with the id \(id.line), which is not the request's")
  }

  /// Sends a request of 2026-07-28. It belongs to no session, and a broken stream has lost its answer.
  private func runAlone(_ headers: [HTTPHeader], isRepeated: Bool) async throws {
    let reception = reception()
    let response = try await post(headers, reception)
    guard 200..<300 ~= response.status else {
      let code = Message(response.body)?.json["error"]?["code"]?.integer
      guard code == Stateless.headerMismatch, !isRepeated, message.method == "tools/call" else { return try answer(with: response) }
      try await bridge.learnTools(like: message)
      return try await runAlone(Stateless.headers(of: message, bridge.tools) ?? headers, isRepeated: true)
    }
    reception.finish()
    if !isAnswered { throw lost(reception) }
  }

  private func post(_ headers: [HTTPHeader], _ reception: Reception) async throws -> HTTPResponse {
    do {
      return try await bridge.post(message, headers, into: reception)
    } catch {
      throw reception.isTooLong || reception.isGivenUp ? bridge.lost(reception) : error
    }
  }

  private func run(in agreement: Session.Agreement?, isRepeated: Bool) async throws {
    let reception = reception()
    let response: HTTPResponse
    do {
      let first = message.method == "initialize" ? Session.firstHeaders : []
      response = try await post(agreement?.headers ?? first, reception)
    } catch {
      // The request was delivered, so it is not sent again.
      guard reception.lastID != nil, !reception.isTooLong, !reception.isGivenUp, !isAnswered else { throw error }
      return try await follow(reception, agreement)
    }
    if let agreement, !isRepeated, message.method != "initialize", Self.hasForgotten(agreement, response) {
      let host = bridge.transport.url.hostAndPort
      bridge.log.take(.init(.info, "\(host) has ended the session; another one begins"))
      return try await run(in: bridge.handshake(after: agreement), isRepeated: true)
    }
    guard 200..<300 ~= response.status else { return try answer(with: response) }
    reception.finish()
    if !isAnswered { try await follow(reception, agreement) }
  }

  private var isAnswered: Bool { held.withLock { $0 != nil } || !bridge.isOpen(message) }

  /// Continues a stream that ended before the answer.
  private func follow(_ reception: Reception, _ agreement: Session.Agreement?) async throws {
    if reception.lastID != nil {
      let subscription = Subscription(bridge: bridge, agreement: agreement, isDone: { [self] in isAnswered })
      if case .failed(let failure) = await subscription.run(after: reception) { throw failure }
    }
    if !isAnswered { throw lost(reception) }
  }

  /// Whether the server no longer has the session. The specification wants 404; some servers say it with 410, or with 400 and a sentence.
  private static func hasForgotten(_ agreement: Session.Agreement, _ response: HTTPResponse) -> Bool {
    switch response.status {
    case 404, 410: return agreement.id != nil
    case 400:
      let text = String(decoding: response.body.prefix(1000), as: UTF8.self).lowercased()
      return agreement.id != nil && (text.contains("session") || text.contains("not initialized"))
    default: return false
    }
  }

  /// Answers with what the server said in an HTTP error: its own error of JSON-RPC, if it sent one.
  private func answer(with response: HTTPResponse) throws {
    if let answer = Message(response.body).map(bridge.login.hidingToken), case .response(let id) = answer.parts[0] {
      if message.requests.contains(id), message.method != "initialize" { return bridge.deliver(answer, session: nil) }
      if let error = answer.json["error"], error["code"]?.integer != nil { throw Failure(json: error) }
    }
    // The whole of an error in JSON, and the beginning of a page.
    let limit = (try? JSON.parse(response.body)) == nil ? 200 : .max
    let text = bridge.login.hidden.cleanBody(response.body).prefix(limit)
    let said = text.isEmpty ? "" : ": \(text)"
    throw Failure("\(bridge.transport.url.hostAndPort) answered \(response.status)\(said)", status: response.status)
  }
}
