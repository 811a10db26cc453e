import Dispatch
import Synchronization

/// The state of the connection: whether it was initialised or shut down (LSP 3.17, lifecycle), and the running calls.
package final class Session: Sendable {
  /// Identifies a running call by its number. An id is not enough, because notifications have none.
  typealias Ticket = Int

  /// Why a call was stopped early.
  enum Cancellation: Sendable {
    /// `$/cancelRequest`: the request is answered with -32800.
    case byClient
    /// MCP's `notifications/cancelled`: the request gets no answer.
    case silently
    /// The process is ending.
    case byEnding
  }

  private struct Entry {
    var id: Request.ID?
    var task: Task<Void, Never>?
    var cancellation: Cancellation?
  }

  private struct State {
    var entries: [Ticket: Entry] = [:]
    var tickets: [Request.ID: Ticket] = [:]
    var next = 0
    /// The last id that the process has given to a request of its own.
    var lastID = 0
    var isEnding = false
    var isInitialized = false
    var clientOpensPages = false
    var isShutDown = false
    var isExiting = false
  }

  private let state = Mutex(State())
  /// Entered once for each call.
  private let open = DispatchGroup()

  package init() {}

  // MARK: Lifecycle

  /// Returns false if the session is already initialised. Methods can be called without it.
  package func initialize(opensPages: Bool = false) -> Bool {
    state.withLock { state in
      guard !state.isInitialized else { return false }
      (state.isInitialized, state.clientOpensPages) = (true, opensPages)
      return true
    }
  }

  package var isInitialized: Bool { state.withLock { $0.isInitialized } }
  /// Whether the client opens pages itself, by `initialize`.
  package var clientOpensPages: Bool { state.withLock { $0.clientOpensPages } }

  package func shutDown() { state.withLock { $0.isShutDown = true } }

  /// Marks the session as exiting. The process ends when the requests that arrived with `exit` are answered.
  package func exit() { state.withLock { $0.isExiting = true } }

  package var isExiting: Bool { state.withLock { $0.isExiting } }

  /// 0 after `shutdown`, else 1, as LSP requires.
  package var exitStatus: Int32 { state.withLock { $0.isShutDown ? 0 : 1 } }

  /// Returns the error for a method after `shutdown`. Only `exit` and cancellations are then accepted.
  func rejection(of method: String) -> RPCError? {
    let (isShutDown, isExiting) = state.withLock { ($0.isShutDown, $0.isExiting) }
    if isExiting { return .invalidRequest("after exit, no request is accepted") }
    guard isShutDown else { return nil }
    switch method {
    case "exit", "$/cancelRequest", "notifications/cancelled": return nil
    default: return .invalidRequest("after shutdown, only exit is accepted")
    }
  }

  // MARK: Calls

  /// Whether a call with this id is still unanswered. Notifications and null ids never count.
  func isOpen(_ id: Request.ID?) -> Bool {
    guard let id, id != .null else { return false }
    return state.withLock { $0.tickets[id] != nil }
  }

  /// Returns an id for a request of this process to itself.
  package func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Adds a call. Only the reading thread calls this, after a check with `isOpen`.
  func begin(_ id: Request.ID?) -> Ticket {
    open.enter()
    return state.withLock { state in
      let ticket = state.next
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

  /// Frees the call's id before the answer lets the client use it again. Returns why the call was cancelled, if it was.
  func end(_ ticket: Ticket) -> Cancellation? {
    state.withLock { state in
      if let id = state.entries[ticket]?.id, state.tickets[id] == ticket { state.tickets[id] = nil }
      return state.entries[ticket]?.cancellation
    }
  }

  /// Removes the call after its answer has been handed to the output, so a caller that waits for the last call can then flush.
  func wasAnswered(_ ticket: Ticket) { if state.withLock({ $0.entries.removeValue(forKey: ticket) }) != nil { open.leave() } }

  /// Cancels the call with this id. Ignores an id that is not open, because the call may just have been answered.
  package func cancel(_ id: Request.ID, silently: Bool) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let ticket = state.tickets[id], state.entries[ticket]?.cancellation == nil else { return nil }
      state.entries[ticket]?.cancellation = silently ? .silently : .byClient
      return state.entries[ticket]?.task
    }
    task?.cancel()
  }

  /// From now on, every cancellation counts as caused by the end of the process.
  package func beginEnding() {
    state.withLock { state in
      state.isEnding = true
      for ticket in state.entries.keys where state.entries[ticket]?.cancellation == nil {
        state.entries[ticket]?.cancellation = .byEnding
      }
    }
  }

  /// Cancels all open calls.
  package func cancelAll() {
    let tasks = state.withLock { state in state.entries.values.compactMap(\.task) }
    for task in tasks { task.cancel() }
  }

  /// Waits for all calls to end, at most `milliseconds` if given. Returns true if none is left. Blocks its thread, so never call it from a task.
  package func waitUntilNone(milliseconds: Int? = nil) -> Bool {
    open.wait(timeout: milliseconds.map { .now() + .milliseconds($0) } ?? .distantFuture) == .success
  }
}
