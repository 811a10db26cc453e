import OAuthCore
import Platform
import Synchronization

/// Takes one HTTP response as it comes: a JSON message, or a stream of events. libcurl's thread calls it.
final class Reception: Sendable {
  /// 64 MiB for one message. Tools return images and whole files.
  static let messageLimit = 64 << 20
  /// 4 MiB. Many answers may be open at once, and a Content-Length alone must not fill the address space.
  private static let reservation = 4 << 20

  private enum Kind { case json, events, other }

  private struct State {
    var kind = Kind.other
    var type = ""
    var session: String?
    var body: [UInt8] = []
    var stream: EventStream
    var isTooLong = false
    /// Whether an event has arrived.
    var hasEvents = false
    var hasBody = false
    /// Whether something is no message of JSON-RPC.
    var isBroken = false
    var stop: (@Sendable () -> Void)?
    /// How often the watch has looked since the last byte.
    var looks = 0
    var isGivenUp = false
  }

  /// Gets each message, and the session that the response's head names.
  private let deliver: @Sendable (Message, _ session: String?) -> Void
  /// Gets each event that has no message, such as `endpoint`.
  private let onEvent: @Sendable (EventStream.Event) -> Void
  /// Whether the host reads what it gets.
  private let hasRoom: @Sendable () -> Bool
  /// Set once the server has opened a stream.
  private let wasOpen: Flag?
  private let state: Mutex<State>

  /// `former` is the stream that this one continues.
  init(
    after former: Reception? = nil, wasOpen: Flag? = nil, hasRoom: @escaping @Sendable () -> Bool,
    deliver: @escaping @Sendable (Message, _ session: String?) -> Void, onEvent: @escaping @Sendable (EventStream.Event) -> Void = { _ in }
  ) {
    (self.deliver, self.hasRoom, self.onEvent, self.wasOpen) = (deliver, hasRoom, onEvent, wasOpen)
    state = Mutex(State(stream: EventStream(limit: Self.messageLimit, after: (former?.lastID, former?.retry))))
  }

  var lastID: String? { state.withLock { $0.stream.lastID } }
  var retry: Int? { state.withLock { $0.stream.retry } }
  var hasEvents: Bool { state.withLock { $0.hasEvents } }
  var isStream: Bool { state.withLock { $0.kind == .events } }
  /// The media type of the response.
  var type: String { state.withLock { $0.type } }
  var hasBody: Bool { state.withLock { $0.hasBody } }
  /// Whether something that arrived is no message of JSON-RPC.
  var isBroken: Bool { state.withLock { $0.isBroken } }
  /// Whether a message was longer than the limit.
  var isTooLong: Bool { state.withLock { $0.isTooLong || $0.stream.hasDropped } }

  /// Whether the server was not there when it had been silent for long.
  var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

  /// Counts a look of the watch, and returns how many there were since the last byte.
  func wasLookedAt() -> Int {
    state.withLock { state in
      state.looks += 1
      return state.looks
    }
  }

  /// Notes that the server is there.
  func wasHeard() { state.withLock { $0.looks = 0 } }

  func giveUp() {
    state.withLock { state in
      state.isGivenUp = true
      return state.stop
    }?()
  }

  /// Calls `stop` if a message is longer than the limit, or the server is gone.
  func stop(with stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

  /// Lets the request bring its response here.
  func receive(_ request: inout HTTPRequest) {
    request.sink = .stream { _, piece in
      self.take(piece)
      return true
    }
    request.mayReceive = { _ in self.hasRoom() }
  }

  /// Takes the head of the response.
  func begin(_ status: Int, _ headers: [HTTPHeader]) {
    func value(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }
    state.withLock { state in
      state.type = (value("content-type") ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
      state.session = value("mcp-session-id")
      switch state.type {
      case "application/json":
        state.kind = .json
        // Growing step by step would copy a large result several times.
        let length = value("content-length").flatMap(Int.init) ?? 0
        state.body.reserveCapacity(min(max(0, length), Self.reservation))
      case "text/event-stream":
        state.kind = .events
        if 200..<300 ~= status { wasOpen?.set() }
      default: state.kind = .other
      }
    }
  }

  private func take(_ piece: [UInt8]) {
    var (messages, others) = ([Message](), [EventStream.Event]())
    let (session, stop) = state.withLock { state -> (String?, (@Sendable () -> Void)?) in
      (state.hasBody, state.looks) = (true, 0)
      switch state.kind {
      case .json:
        state.isTooLong = piece.count > Self.messageLimit - state.body.count
        if state.isTooLong { state.body = [] } else { state.body += piece }
      case .events:
        let events = state.stream.feed(piece)
        state.hasEvents = state.hasEvents || !events.isEmpty
        others = events.filter { !["", "message"].contains($0.name) }
        let data = events.filter { ["", "message"].contains($0.name) }.map { Message($0.data) }
        state.isBroken = state.isBroken || data.contains { $0 == nil }
        messages = data.compactMap(\.self)
      case .other: break
      }
      return (state.session, state.isTooLong || state.stream.hasDropped ? state.stop : nil)
    }
    for event in others { onEvent(event) }
    for message in messages { deliver(message, session) }
    stop?()
  }

  /// Hands over the message of a JSON response, which has ended.
  func finish() {
    let (body, session) = state.withLock { (exchange(&$0.body, with: []), $0.session) }
    guard !body.isEmpty else { return }
    guard let message = Message(body) else { return state.withLock { $0.isBroken = true } }
    deliver(message, session)
  }
}
