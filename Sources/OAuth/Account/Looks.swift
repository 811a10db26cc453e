import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks once a second for what no event tells, on one thread for all who wait: the process wakes once a second however many they are, and not at
/// all while there are none.
package final class Looks: Sendable {
  package static let shared = Looks(everyMicroseconds: 1_000_000)

  private struct Look {
    let isDue: @Sendable () -> Bool
    let promise: Promise<Void>
  }

  private struct State {
    var looks: [Int: Look] = [:]
    var next = 0
    var isRunning = false
  }

  private let state = Mutex(State())
  /// Serial, so that it has a thread of its own, which may stand still.
  private let queue = DispatchQueue(label: "looks")
  private let interval: UInt32

  init(everyMicroseconds interval: UInt32) { self.interval = interval }

  /// Waits until a look finds that `isDue` returns true. It runs on the one shared thread, so it must be quick. Throws `CancellationError` as soon as
  /// the task is cancelled.
  package func next(where isDue: @escaping @Sendable () -> Bool) async throws {
    let promise = Promise<Void>()
    let (number, starts) = state.withLock { state in
      defer { (state.next, state.isRunning) = (state.next + 1, true) }
      state.looks[state.next] = Look(isDue: isDue, promise: promise)
      return (state.next, !state.isRunning)
    }
    defer { state.withLock { _ = $0.looks.removeValue(forKey: number) } }
    if starts { queue.async { self.run() } }
    try await promise.value()
  }

  private func run() {
    while true {
      usleep(interval)
      let looks = state.withLock { state in
        state.isRunning = !state.looks.isEmpty
        return state.looks.values.map(\.self)
      }
      if looks.isEmpty { return }
      for look in looks where look.isDue() { look.promise.settle(.success(())) }
    }
  }
}
