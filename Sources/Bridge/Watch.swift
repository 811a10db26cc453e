import Platform
import Synchronization

/// Looks after responses that bring nothing for long: their connection may be dead without having ended.
final class Watch: Sendable {
  /// Seconds between two looks, and the looks after which the server is asked whether it is there: five minutes.
  private static let (interval, patience) = (60, 5)

  private typealias Watched = (reception: Reception, isAlive: @Sendable () async -> Bool)

  private struct State {
    var receptions: [ObjectIdentifier: Watched] = [:]
    var isRunning = false
  }

  private let clock: Clock
  private let state = Mutex(State())

  init(_ clock: Clock) { self.clock = clock }

  /// Watches a response until it is removed. `isAlive` asks the server on another connection.
  func add(_ reception: Reception, isAlive: @escaping @Sendable () async -> Bool) {
    let isFirst = state.withLock { state in
      state.receptions[ObjectIdentifier(reception)] = (reception, isAlive)
      return !exchange(&state.isRunning, with: true)
    }
    if isFirst { Task { await run() } }
  }

  func remove(_ reception: Reception) { state.withLock { $0.receptions[ObjectIdentifier(reception)] = nil } }

  private func run() async {
    while (try? await clock.sleep(seconds: Self.interval)) != nil {
      let watched = state.withLock { state in
        state.isRunning = !state.receptions.isEmpty
        return Array(state.receptions.values)
      }
      guard !watched.isEmpty else { return }
      for (reception, isAlive) in watched where reception.wasLookedAt() >= Self.patience {
        if await isAlive() { reception.wasHeard() } else { reception.giveUp() }
      }
    }
  }
}
