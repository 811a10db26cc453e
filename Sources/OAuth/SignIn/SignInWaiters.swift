import Synchronization

/// Counts the requests that a sign-in is open for.
final class SignInWaiters: Sendable {
  private struct State {
    /// Number of waiters. A waiter counts from the moment it joins, before it begins to wait.
    var waiting = 0
    var isUnattended = false
  }

  private let state = Mutex(State())

  /// Whether a request wants the sign-in to continue although it does not wait for the end.
  var isUnattended: Bool { state.withLock { $0.isUnattended } }

  func enter(_ request: AuthorizationPlan.Request) {
    if request.waits { enter() } else { enterUnattended() }
  }

  /// Lets the sign-in continue without waiters.
  func enterUnattended() { state.withLock { $0.isUnattended = true } }

  func enter() { state.withLock { $0.waiting += 1 } }

  /// Removes a waiter. Returns true if no request is left that the sign-in is open for.
  func leave() -> Bool {
    state.withLock { state in
      state.waiting -= 1
      return state.waiting == 0 && !state.isUnattended
    }
  }
}
