import Synchronization

/// Counts how often a call has been sent, without redirects. Includes libcurl's own repetitions on a kept connection that proves closed.
final class Sendings: Sendable {
  private struct State {
    var count = 0
    var isFirstOfHop = true
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  var count: Int { state.withLock { $0.count } }

  func beginAttempt() { state.withLock { $0.count += 1 } }

  /// Begins a hop. Its first sending is not counted, because the attempt is.
  func beginHop() { state.withLock { $0.isFirstOfHop = true } }

  /// Counts each further sending. Returns false at the limit.
  func maySendAgain() -> Bool {
    state.withLock { state in
      if state.isFirstOfHop {
        state.isFirstOfHop = false
        return true
      }
      guard state.count < limit else { return false }
      state.count += 1
      return true
    }
  }
}
