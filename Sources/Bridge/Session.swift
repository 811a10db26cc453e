import Jansson
import OAuthCore
import Platform
import Synchronization

/// What the handshake with the server has agreed: the session and the version. The server may forget the session at any time.
final class Session: Sendable {
  struct Agreement: Sendable {
    /// Which handshake it is from. A later one has a larger number.
    var number = 0
    /// nil if the server has no sessions.
    var id: String?
    var version: String?

    /// The headers of every later request.
    var headers: [HTTPHeader] {
      (id.map { [HTTPHeader("Mcp-Session-Id", $0)] } ?? []) + (version.map { [HTTPHeader("MCP-Protocol-Version", $0)] } ?? [])
    }
  }

  /// The headers of `initialize`. Servers of 2026-07-28 route all messages by it, and others ignore it.
  static let firstHeaders = [HTTPHeader("Mcp-Method", "initialize")]

  private struct State {
    var agreement: Agreement?
    var handshakes = 0
    /// The host's own `initialize`, which begins each later session, too.
    var initialize: Message?
    /// Whether the host has an answer that is not the server's.
    var isDue = false
    var translation: Translation?
    var events: EventTransport?
  }

  private let state = Mutex(State())
  private let handshakes = SingleFlight<Int, Agreement>()

  /// nil before the first handshake.
  var agreement: Agreement? { state.withLock { $0.agreement } }

  /// The host's `initialize`.
  var initialize: Message? { state.withLock { $0.initialize } }

  func begin(with initialize: Message) { state.withLock { $0 = State(handshakes: $0.handshakes, initialize: initialize) } }

  /// What translates for a server of 2026-07-28 alone; nil for any other.
  var translation: Translation? { state.withLock { $0.translation } }

  /// The transport of 2024-11-05; nil with Streamable HTTP.
  var events: EventTransport? { state.withLock { $0.events } }

  func use(_ events: EventTransport) { state.withLock { $0.events = events } }

  /// Notes that the stream has ended. The next request begins another session.
  func lose(_ events: EventTransport) {
    state.withLock { if $0.events === events { ($0.events, $0.agreement, $0.isDue) = (nil, nil, true) } }
  }

  func translate(_ translation: Translation) { state.withLock { $0.translation = translation } }

  /// Whether the server's answer to the host's `initialize` is still missing, although the host has one.
  var isDue: Bool { state.withLock { $0.isDue } }

  func wasAnsweredHere() { state.withLock { $0.isDue = true } }

  /// Notes the server's answer to `initialize`.
  @discardableResult func agree(on answer: JSON, session: String?) -> Agreement {
    state.withLock { state in
      (state.handshakes, state.isDue) = (state.handshakes + 1, false)
      let agreement = Agreement(number: state.handshakes, id: session, version: answer["result"]?["protocolVersion"]?.string)
      state.agreement = agreement
      return agreement
    }
  }

  /// Returns a newer agreement than `former`. All requests that need it share one handshake.
  func renewed(
    after former: Agreement?, _ shake: @escaping @Sendable (_ initialize: Message) async throws -> Agreement
  ) async throws -> Agreement {
    let number = former?.number ?? 0
    if let agreement, agreement.number > number { return agreement }
    guard let initialize else { throw Failure("the host has sent no initialize yet") }
    return try await handshakes.value(number) { try await shake(initialize) }
  }

  /// Takes the session, to end it.
  func end() -> Agreement? { state.withLock { $0.agreement.take() } }
}
