import HTTP
import Jansson
import OAuthCore
import Platform
import Synchronization

/// The transport of 2024-11-05: one stream brings all that the server sends, and names the address for what the client sends.
final class EventTransport: Sendable {
  /// The statuses with which a server of this transport answers a POST (MCP 2025-03-26, backwards compatibility).
  static let signs = [400, 404, 405]
  /// Seconds for the address and for the answer to `initialize`.
  private static let patience = 30

  private let bridge: Bridge
  private let address = Promise<URLParts>()
  private let handshake = Promise<Message>()

  init(_ bridge: Bridge) { self.bridge = bridge }

  /// Opens the stream and does the handshake. Returns the server's answer; nil if the server does not know this transport.
  func begin(with initialize: Message) async throws -> Message? {
    let reception = Reception(hasRoom: bridge.hasRoom) { [self] message, _ in
      if case .response(let id) = message.parts[0], initialize.requests.contains(id),
        handshake.settle(.success(bridge.login.hidingToken(in: message)))
      {
        return
      }
      bridge.deliver(message, session: nil)
    } onEvent: { [self] event in
      let text = String(decoding: event.data, as: UTF8.self)
      guard event.name == "endpoint", let found = try? bridge.transport.url.resolve(text) else { return }
      // Another server must not get what is meant for this one, with its token.
      address.settle(found.origin == bridge.transport.url.origin ? .success(found) : .failure(Failure("the stream names another server")))
    }
    let stream = Task { [self] in
      let response = try? await bridge.transport.send("GET", [], into: reception)
      address.settle(.failure(Failure("\(bridge.transport.url.hostAndPort) answered \(response?.status ?? 0) to GET")))
      handshake.settle(.failure(bridge.endOfStream))
      bridge.streamDidEnd(self)
    }
    do {
      let answer = try await bridge.clock.withTimeout(Self.patience) { [self] in
        try await send(initialize)
        return try await handshake.value()
      }
      if let answer { return answer }
      throw Failure("the stream of \(bridge.transport.url.hostAndPort) brought no answer to initialize in \(Self.patience) s")
    } catch {
      stream.cancel()
      if reception.isStream { throw error }
      return nil
    }
  }

  /// Sends a message. The stream brings its answer.
  func send(_ message: Message) async throws {
    let response = try await bridge.post(message, [], to: address.value())
    // The next request begins another session.
    if response.status == 404 { bridge.session.lose(self) }
    guard 200..<300 ~= response.status else { throw Failure("\(bridge.transport.url.hostAndPort) answered \(response.status)") }
  }
}

extension Bridge {
  /// Answers all open requests, because the stream with their answers has ended.
  func streamDidEnd(_ events: EventTransport) {
    guard session.events === events else { return }
    session.lose(events)
    for request in open.all.compactMap({ open.take($0.id) }) {
      answer(request, with: .error(endOfStream, of: request.id))
    }
  }

  var endOfStream: Failure { Failure("the stream of \(transport.url.hostAndPort) ended without an answer") }
}
