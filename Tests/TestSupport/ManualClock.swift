import Platform
import Synchronization

/// A clock that stands still until the test moves it. It starts at Unix second 1 000 000.
package final class ManualClock: Sendable {
  private struct Pause {
    let end: Int
    let fire: @Sendable () -> Void
  }

  private struct State {
    /// Unix milliseconds.
    var time: Int
    /// Milliseconds.
    var uptime = 0
    var pauses: [Int: Pause] = [:]
    var next = 0
    /// Tests that wait for a number of pauses.
    var watchers: [(count: Int, promise: Promise<Void>)] = []
  }

  private let state: Mutex<State>

  package init(at seconds: Int = 1_000_000) { state = Mutex(State(time: seconds * 1000)) }

  /// The same clock for the code under test.
  package var clock: Clock {
    Clock(milliseconds: { self.milliseconds }, uptime: { self.state.withLock { $0.uptime } }, schedule: schedule)
  }

  /// Unix milliseconds.
  package var milliseconds: Int { state.withLock { $0.time } }
  /// Unix seconds.
  package var now: Int { milliseconds / 1000 }
  /// The milliseconds that each pause still lasts, shortest first.
  package var pauses: [Int] { state.withLock { state in state.pauses.values.map { $0.end - state.uptime }.sorted() } }

  package func advance(_ seconds: Int) { advance(milliseconds: seconds * 1000) }

  /// Moves the clock forward and ends the pauses whose time has come.
  package func advance(milliseconds: Int) {
    precondition(milliseconds >= 0)
    let ended = state.withLock { state in
      state.time += milliseconds
      state.uptime += milliseconds
      let due = state.pauses.filter { $0.value.end <= state.uptime }
      for number in due.keys { state.pauses[number] = nil }
      return due.values.sorted { $0.end < $1.end }
    }
    for pause in ended { pause.fire() }
  }

  /// Sets the time of day back, as a user does. No pause becomes shorter or longer.
  package func setBack(_ seconds: Int) { state.withLock { $0.time -= seconds * 1000 } }

  /// Returns when at least `count` tasks are pausing.
  package func pauses(atLeast count: Int) async throws {
    let watcher = Promise<Void>()
    let isThere = state.withLock { state in
      if state.pauses.count < count { state.watchers.append((count, watcher)) }
      return state.pauses.count >= count
    }
    if !isThere { try await watcher.value() }
  }

  /// Returns the result of the work. Moves the clock to the end of every pause on the way.
  package func skippingPauses<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    let moving = Task {
      while !Task.isCancelled {
        try await pauses(atLeast: 1)
        if let pause = pauses.first { advance(milliseconds: pause) }
      }
    }
    defer { moving.cancel() }
    return try await work()
  }

  @Sendable private func schedule(_ milliseconds: Int, _ fire: @escaping @Sendable () -> Void) -> Clock.Cancel {
    let (number, reached) = state.withLock { state -> (Int, [Promise<Void>]) in
      guard milliseconds > 0 else { return (-1, []) }
      state.next += 1
      state.pauses[state.next] = Pause(end: state.uptime + milliseconds, fire: fire)
      let reached = state.watchers.filter { $0.count <= state.pauses.count }.map(\.promise)
      state.watchers.removeAll { $0.count <= state.pauses.count }
      return (state.next, reached)
    }
    if number < 0 { fire() }
    for watcher in reached { watcher.settle(.success(())) }
    return { self.state.withLock { _ = $0.pauses.removeValue(forKey: number) } }
  }
}

extension Clock {
  /// A clock whose time of day stands still and whose pauses are real, for files that another store locks.
  package static func fixed(_ seconds: Int) -> Clock {
    Clock(milliseconds: { seconds * 1000 }, uptime: system.uptime, schedule: system.schedule)
  }
}
