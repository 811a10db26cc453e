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
  /// Number of lanes that block in the middle of a task.
  let blocked = Atomic<Int>(0)

  package init() {}

  /// The pool whose thread this is; nil on other threads.
  package static var current: Blocking? { Lane.current?.pool }

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  /// Does the work on a lane. A caller that is on a lane already, of whatever pool, does it at once, which saves two changes of thread.
  /// The last lane of its pool that does not block stays free.
  package func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value
  {
    if let result = Lane.current?.block(work) { return try result.get() }
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
      return Lane.queue(of: self)
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
