import Dispatch
import Synchronization

/// Checks conditions that no event reports, once a second on one thread for all waiters.
/// The process wakes once a second regardless of their number, and never if there are none.
package final class Poller: Sendable {
  package static let shared = Poller(everyMicroseconds: 1_000_000)

  struct Condition {
    let isDue: @Sendable () -> Bool
    let promise: Promise<Void>
  }

  struct State {
    var conditions: [Int: Condition] = [:]
    var next = 0
    var isRunning = false
  }

  let state = Mutex(State())
  /// Serial, because such a queue has its own thread, which may block.
  private let queue = DispatchQueue(label: "conditions")
  private let interval: UInt32

  package init(everyMicroseconds interval: UInt32) { self.interval = interval }

  /// Waits until a check finds that `isDue` returns true. `isDue` runs on the one shared thread and must be quick.
  /// Throws `CancellationError` as soon as the task is cancelled.
  package func next(where isDue: @escaping @Sendable () -> Bool) async throws {
    let promise = Promise<Void>()
    let (number, starts) = state.withLock { state in
      defer { (state.next, state.isRunning) = (state.next + 1, true) }
      state.conditions[state.next] = Condition(isDue: isDue, promise: promise)
      return (state.next, !state.isRunning)
    }
    defer { state.withLock { _ = $0.conditions.removeValue(forKey: number) } }
    if starts { queue.async { self.run() } }
    try await promise.value()
  }

  private func run() {
    while true {
      usleep(interval)
      let conditions = state.withLock { state in
        state.isRunning = !state.conditions.isEmpty
        return state.conditions
      }
      if conditions.isEmpty { return }
      for (number, condition) in conditions where condition.isDue() {
        state.withLock { _ = $0.conditions.removeValue(forKey: number) }
        condition.promise.settle(.success(()))
      }
    }
  }
}
