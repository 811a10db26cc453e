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

  /// Notes the task that works on a line.
  func note(_ task: Task<Void, Never>, of message: Message) {
    state.withLock { state in
      for id in message.requests where state.requests[id.line]?.line == message.line { state.requests[id.line]?.task = task }
    }
  }

  /// Notes that the requests of a line are sent now. Throws if the host has cancelled them, and wants no answer.
  func send(_ message: Message) throws(CancellationError) {
    // The host may have an answer to `initialize` that is not the server's.
    guard !message.requests.isEmpty, message.method != "initialize" else { return }
    let open = state.withLock { state in
      let ids = message.requests.map(\.line).filter { state.requests[$0]?.line == message.line }
      for id in ids { state.requests[id]?.isSent = true }
      return ids
    }
    if open.isEmpty { throw CancellationError() }
  }

  /// Notes that the server has refused the requests of a line for want of a login: it has none of them, and the host can cancel them.
  func wereRefused(_ message: Message) {
    state.withLock { state in
      for id in message.requests where state.requests[id.line]?.line == message.line { state.requests[id.line]?.isSent = false }
    }
  }

  /// Whether a request of the line is open.
  func contains(_ message: Message) -> Bool {
    state.withLock { state in message.requests.contains { state.requests[$0.line]?.line == message.line } }
  }

  func request(_ id: JSON) -> Request? { state.withLock { $0.requests[id.line] } }

  /// Takes the request that an answer is for.
  func take(_ id: JSON) -> Request? { state.withLock { $0.requests.removeValue(forKey: id.line) } }

  /// Takes the open requests of a line.
  func take(_ message: Message) -> [Request] {
    state.withLock { state in
      message.requests.compactMap { state.requests[$0.line]?.line == message.line ? state.requests.removeValue(forKey: $0.line) : nil }
    }
  }
}
