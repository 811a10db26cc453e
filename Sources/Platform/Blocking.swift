import Dispatch
import Synchronization

/// Runs blocking work on threads that tasks do not share. On two cores, two blocked threads would stop every task.
package final class Blocking: Sendable {
  private static let shared = Blocking()
  /// Maximum number of calls that block at the same time; further calls wait.
  /// With one thread, a folder on an unreachable server would delay other work.
  package static let limit = 8

  /// Does the work. Returns a closure that resumes the task that waits for the result.
  typealias Work = @Sendable () -> @Sendable () -> Void

  struct State {
    /// Lanes without work. They are serial, because libdispatch gives such a queue its own thread.
    /// All other queues share their threads with the tasks, one per core.
    var idle: [DispatchQueue] = []
    /// Number of lanes, idle or busy.
    var count = 0
    /// Work that waits for a free lane, oldest first.
    var waiting: [Work] = []
  }

  let state = Mutex(State())

  package init() {}

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  /// Does the work on a lane.
  package func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value
  {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      start {
        let result = Result { () throws(Failure) in try work() }
        return { continuation.resume(returning: result) }
      }
    }
    return try result.get()
  }

  /// Starts work whose result no task waits for. The group counts it until it is done.
  package func start(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
    group.enter()
    start {
      work()
      return { group.leave() }
    }
  }

  func start(_ work: @escaping Work) {
    let free = state.withLock { state -> DispatchQueue? in
      if let lane = state.idle.popLast() { return lane }
      guard state.count < Self.limit else {
        state.waiting.append(work)
        return nil
      }
      state.count += 1
      return DispatchQueue(label: "blocking")
    }
    if let free { free.async { self.run(work, on: free) } }
  }

  /// Runs the work, then the oldest waiting work until none is left. No work waits for a lane that hangs while another lane is free.
  private func run(_ first: @escaping Work, on lane: DispatchQueue) {
    var next: Work? = first
    while let work = next {
      let resume = work()
      next = state.withLock { state in
        if state.waiting.isEmpty {
          state.idle.append(lane)
          return nil
        }
        return state.waiting.removeFirst()
      }
      resume()
    }
  }
}
