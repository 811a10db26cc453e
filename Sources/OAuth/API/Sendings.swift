import Synchronization

/// How often a call has been sent, redirects aside. libcurl sends a request again by itself when a kept connection turns out dead, which counts as well.
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

  /// Each hop of an attempt is sent once without being counted: the attempt is.
  func beginHop() { state.withLock { $0.isFirstOfHop = true } }

  /// Counts what goes out beyond that; false where the limit is reached.
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
