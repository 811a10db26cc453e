import Synchronization

/// The requests that a sign-in is open for.
final class Company: Sendable {
  private struct State {
    /// How many wait; counted from the moment they join, before they begin to.
    var waiting = 0
    var isUnattended = false
    var isUnwanted = false
  }

  private let state = Mutex(State())

  /// Whether somebody wants the sign-in to go on who does not wait for its end.
  var isUnattended: Bool { state.withLock { $0.isUnattended } }
  /// Whether the sign-in is stopped, so that what it brings is not kept.
  var isUnwanted: Bool { state.withLock { $0.isUnwanted } }

  func enter(_ request: AuthorizeRequest) {
    if request.waits { enter() } else { enterUnattended() }
  }

  /// From now on the sign-in goes on without its waiters.
  func enterUnattended() { state.withLock { $0.isUnattended = true } }

  func enter() { state.withLock { $0.waiting += 1 } }

  /// One who has waited goes; true when nobody is left for whom it should go on.
  func leave() -> Bool {
    state.withLock { state in
      state.waiting -= 1
      return state.waiting == 0 && !state.isUnattended
    }
  }

  func stop() { state.withLock { $0.isUnwanted = true } }
}
