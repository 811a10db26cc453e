import Jansson
import Platform
import Synchronization

/// The requests of the host without an answer. Each one is taken once, so that it gets exactly one answer.
final class OpenRequests: Sendable {
  struct Request: Sendable {
    let id: JSON
    let method: String
    /// The number of the host's line.
    let line: Int
    /// Whether it is one of 2026-07-28, whose cancellation closes its stream.
    let isStateless: Bool
    let answered = Promise<Void>()
    var task: Task<Void, Never>?
    /// Whether the server may have it. The requests of a batch are sent together, and `initialize` cannot be cancelled.
    var isSent: Bool
  }

  private struct State {
    /// By the id as text.
    var requests: [String: Request] = [:]
    var lines = 0

    /// The keys of a line's open requests. A later line may use the id of an answered request again.
    func keys(of message: Message) -> [String] { message.requests.map(\.line).filter { requests[$0]?.line == message.line } }
  }

  private let state = Mutex(State())

  var all: [Request] { state.withLock { Array($0.requests.values) } }

  /// Adds the requests of a line, and gives the line its number. Returns false if one of their ids is in use or stands twice.
  func add(_ message: inout Message, isStateless: Bool) -> Bool {
    state.withLock { state in
      let ids = message.requests.map(\.line)
      guard Set(ids).count == ids.count, !ids.contains(where: { state.requests[$0] != nil }) else { return false }
      state.lines += 1
      message.line = state.lines
      for case .request(let id, let method) in message.parts {
        state.requests[id.line] = Request(
          id: id, method: method, line: message.line, isStateless: isStateless, isSent: message.method == nil || method == "initialize")
      }
      return true
    }
  }

  /// Changes the open requests of a line. Returns whether there are any.
  @discardableResult private func change(_ message: Message, _ body: (inout Request?) -> Void) -> Bool {
    state.withLock { state in
      let keys = state.keys(of: message)
      for key in keys { body(&state.requests[key]) }
      return !keys.isEmpty
    }
  }

  /// Notes the task that works on a line.
  func note(_ task: Task<Void, Never>, of message: Message) { change(message) { $0?.task = task } }

  /// Notes that the requests of a line are sent now. Throws if the host has cancelled them, and wants no answer.
  func send(_ message: Message) throws(CancellationError) {
    // The host may have an answer to `initialize` that is not the server's.
    guard !message.requests.isEmpty, message.method != "initialize" else { return }
    if !change(message, { $0?.isSent = true }) { throw CancellationError() }
  }

  /// Notes that the server has refused the requests of a line for want of a login: it has none of them, and the host can cancel them.
  func wereRefused(_ message: Message) { change(message) { $0?.isSent = false } }

  /// Whether a request of the line is open.
  func contains(_ message: Message) -> Bool { state.withLock { !$0.keys(of: message).isEmpty } }

  func request(_ id: JSON) -> Request? { state.withLock { $0.requests[id.line] } }

  /// Takes the request that an answer is for.
  func take(_ id: JSON) -> Request? { state.withLock { $0.requests.removeValue(forKey: id.line) } }

  /// Takes the open requests of a line.
  func take(_ message: Message) -> [Request] {
    state.withLock { state in state.keys(of: message).compactMap { state.requests.removeValue(forKey: $0) } }
  }
}
