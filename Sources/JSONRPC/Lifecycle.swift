import Synchronization

/// Where the session stands between `initialize` and `exit` (LSP 3.17, lifecycle); nothing of it is needed to call a method.
package final class Lifecycle: Sendable {
  private struct State {
    var isInitialized = false
    var isShutDown = false
    var isExiting = false
  }

  private let state = Mutex(State())

  package init() {}

  /// False when it had been done before.
  package func initialize() -> Bool {
    state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
  }

  package func shutDown() {
    state.withLock { $0.isShutDown = true }
  }

  /// The process ends when what came along with `exit` has been answered.
  package func exit() {
    state.withLock { $0.isExiting = true }
  }

  package var isExiting: Bool { state.withLock { $0.isExiting } }

  /// 0 after `shutdown`, else 1, as LSP has it.
  package var exitStatus: Int32 { state.withLock { $0.isShutDown ? 0 : 1 } }

  /// After `shutdown` only `exit` and cancellations are heard.
  func refusal(of method: String) -> RPCError? {
    let (isShutDown, isExiting) = state.withLock { ($0.isShutDown, $0.isExiting) }
    if isExiting { return .invalidRequest("exit was asked for; nothing follows") }
    guard isShutDown else { return nil }
    switch method {
    case "exit", "$/cancelRequest", "notifications/cancelled": return nil
    default: return .invalidRequest("shutdown was asked for; only exit follows")
    }
  }
}
