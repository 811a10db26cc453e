import Synchronization

/// The state of the session between `initialize` and `exit` (LSP 3.17, lifecycle). Methods can be called without `initialize`.
package final class Lifecycle: Sendable {
  private struct State {
    var isInitialized = false
    var isShutDown = false
    var isExiting = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns false if the session is already initialised.
  package func initialize() -> Bool {
    state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
  }

  package func shutDown() {
    state.withLock { $0.isShutDown = true }
  }

  /// Marks the session as exiting. The process ends when the requests that arrived with `exit` are answered.
  package func exit() {
    state.withLock { $0.isExiting = true }
  }

  package var isExiting: Bool { state.withLock { $0.isExiting } }

  /// 0 after `shutdown`, else 1, as LSP requires.
  package var exitStatus: Int32 { state.withLock { $0.isShutDown ? 0 : 1 } }

  /// Returns the error for a method after `shutdown`. Only `exit` and cancellations are then accepted.
  func refusal(of method: String) -> RPCError? {
    let (isShutDown, isExiting) = state.withLock { ($0.isShutDown, $0.isExiting) }
    if isExiting { return .invalidRequest("after exit, no request is accepted") }
    guard isShutDown else { return nil }
    switch method {
    case "exit", "$/cancelRequest", "notifications/cancelled": return nil
    default: return .invalidRequest("after shutdown, only exit is accepted")
    }
  }
}
