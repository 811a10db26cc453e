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
    /// The login with which it began; nil without one.
    var login: String?
    /// Set once the server has opened the stream of the session.
    let wasOpen = Flag()

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
    /// The login of the last request.
    var login: String?
    /// What the server has set for this login, as it goes back: `NAME=VALUE`.
    var cookies: [String] = []
  }

  private let state = Mutex(State())
  private let handshakes = SingleFlight<Agreement>()

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
      let version = answer["result"]?["protocolVersion"]?.string
      let agreement = Agreement(number: state.handshakes, id: session, version: version, login: state.login)
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
    return try await handshakes.value("\(number)") { try await shake(initialize) }
  }

  /// Takes the session, to end it.
  func end() -> Agreement? { state.withLock { $0.agreement.take() } }
}

/// What the server gives to one login must not reach it with another one: a server may look at the session or the cookie alone.
extension Session {
  /// Adds the cookies to a request of this login, unless the user's own are there, and takes those of its response. Returns false if the request's
  /// session began with another login.
  func join(_ request: inout HTTPRequest, by login: String?) -> Bool {
    let id = request.headers.first { $0.isNamed("mcp-session-id") }?.value
    let headWasReceived = request.headWasReceived
    request.headWasReceived = { [self] status, headers in
      take(headers, by: login)
      headWasReceived?(status, headers)
    }
    return state.withLock { state in
      if let id, let own = state.agreement, id != own.id || own.login != nil && own.login != login { return false }
      // In the transport of 2024-11-05, the address is the session.
      if state.events != nil, request.method == "POST", state.login != nil, state.login != login { return false }
      // Some servers let `initialize` in without a login.
      if id != nil, let login { state.agreement?.login = login }
      // A request without the session's id begins another one.
      if state.login != nil && state.login != login || id == nil && state.agreement?.id != nil { state.cookies = [] }
      state.login = login
      let cookie = state.cookies.joined(separator: "; ")
      if !cookie.isEmpty, !request.hasHeader("cookie") { request.headers.append(HTTPHeader("Cookie", cookie)) }
      return true
    }
  }

  /// Takes the cookies of a response, such as those of a load balancer (RFC 6265, 5.2). They go to this origin alone, whatever their domain.
  private func take(_ headers: [HTTPHeader], by login: String?) {
    for header in headers where header.isNamed("set-cookie") {
      let pair = String(header.value.prefix { $0 != ";" }.trimmed)
      guard let equals = pair.dropFirst().firstIndex(of: "=") else { continue }
      // Servers delete a cookie by these attributes.
      let isOver = ["max-age=0", "max-age=-", "jan 1970", "jan-1970"].contains(where: header.value.lowercased().contains)
      state.withLock { state in
        guard state.login == login else { return }
        state.cookies.removeAll { $0.hasPrefix(pair[...equals]) }
        // All of them have 64 KiB at most.
        if !isOver, state.cookies.reduce(pair.utf8.count, { $0 + $1.utf8.count + 2 }) <= 64 << 10 { state.cookies.append(pair) }
      }
    }
  }
}
