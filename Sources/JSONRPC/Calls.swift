import Dispatch
import Synchronization

/// The calls that are under way: which ids are taken, how to cancel them, and when the last has ended.
package final class Calls: Sendable {
  /// Names one call for as long as it runs; ids will not do, since notifications have none.
  struct Ticket: Sendable, Hashable {
    let number: Int
  }

  /// Why a call was stopped early.
  enum Cancellation: Sendable {
    /// `$/cancelRequest`: it is still answered, with -32800.
    case byClient
    /// MCP's `notifications/cancelled`: nothing more is said about it.
    case silently
    /// The process is going away.
    case byEnding
  }

  private struct Entry {
    var id: RequestID?
    var task: Task<Void, Never>?
    var cancellation: Cancellation?
  }

  private struct State {
    var entries: [Ticket: Entry] = [:]
    var tickets: [RequestID: Ticket] = [:]
    var next = 0
    var isEnding = false
  }

  private let state = Mutex(State())
  /// Entered once for each call.
  private let open = DispatchGroup()

  package init() {}

  /// Whether a call with this id has not been answered yet; notifications and null ids may be as many as they like.
  func isOpen(_ id: RequestID?) -> Bool {
    guard let id, id != .null else { return false }
    return state.withLock { $0.tickets[id] != nil }
  }

  /// Only the reading thread begins calls, and it has looked with `isOpen` before.
  func begin(_ id: RequestID?) -> Ticket {
    open.enter()
    return state.withLock { state in
      let ticket = Ticket(number: state.next)
      state.next += 1
      state.entries[ticket] = Entry(id: id)
      if let id, id != .null { state.tickets[id] = ticket }
      return ticket
    }
  }

  func attach(_ task: Task<Void, Never>, to ticket: Ticket) {
    let isCancelled = state.withLock { state in
      state.entries[ticket]?.task = task
      if state.isEnding { state.entries[ticket]?.cancellation = .byEnding }
      return state.isEnding
    }
    if isCancelled { task.cancel() }
  }

  /// Gives the call's id free, before the answer invites the client to use it again, and says whether the call had been cancelled.
  func end(_ ticket: Ticket) -> Cancellation? {
    state.withLock { state in
      let entry = state.entries[ticket]
      if let id = entry?.id, state.tickets[id] == ticket { state.tickets[id] = nil }
      return entry?.cancellation
    }
  }

  /// Forgets the call; told after its answer has been handed over, so that whoever waits for the last one can flush and go.
  func wasAnswered(_ ticket: Ticket) {
    if state.withLock({ $0.entries.removeValue(forKey: ticket) }) != nil { open.leave() }
  }

  /// Cancels the call with this id; an id that is not open is none of our business (it may just have been answered).
  package func cancel(_ id: RequestID, silently: Bool) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let ticket = state.tickets[id], state.entries[ticket]?.cancellation == nil else { return nil }
      state.entries[ticket]?.cancellation = silently ? .silently : .byClient
      return state.entries[ticket]?.task
    }
    task?.cancel()
  }

  /// From now on what is stopped is stopped because the process is ending, whoever notices first.
  package func beginEnding() {
    state.withLock { state in
      state.isEnding = true
      for ticket in state.entries.keys where state.entries[ticket]?.cancellation == nil {
        state.entries[ticket]?.cancellation = .byEnding
      }
    }
  }

  /// Cancels all that is open.
  package func cancelAll() {
    let tasks = state.withLock { state in state.entries.values.compactMap(\.task) }
    for task in tasks { task.cancel() }
  }

  /// Waits for all calls to end, up to `milliseconds` where that is not nil; true when none is left. For a thread of one's own, never for a task.
  package func waitUntilNone(milliseconds: Int? = nil) -> Bool {
    open.wait(timeout: milliseconds.map { .now() + .milliseconds($0) } ?? .distantFuture) == .success
  }
}
