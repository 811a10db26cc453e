import Synchronization

/// Where the session stands between `initialize` and `exit` (LSP 3.17, lifecycle); nothing of it is needed to call a method.
package final class Lifecycle: Sendable {
  private struct State {
    var isInitialized = false
    var isShutDown = false
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

  /// 0 after `shutdown`, else 1, as LSP has it.
  package var exitStatus: Int32 { state.withLock { $0.isShutDown ? 0 : 1 } }

  /// After `shutdown` only `exit` and cancellations are heard.
  func refusal(of method: String) -> RPCError? {
    guard state.withLock({ $0.isShutDown }) else { return nil }
    switch method {
    case "exit", "$/cancelRequest", "notifications/cancelled": return nil
    default: return .invalidRequest("shutdown was asked for; only exit follows")
    }
  }
}
