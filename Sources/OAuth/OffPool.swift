import Dispatch
import Synchronization

/// Runs what blocks on threads that tasks do not share: with two cores, two blocked threads would stop everything.
package final class OffPool: Sendable {
  private static let shared = OffPool()
  /// Eight calls may block before the next one waits: a folder of a server that is gone shall not hold up what is done elsewhere.
  static let limit = 8

  /// Does the work; what it returns continues the task that waits for it.
  private typealias Work = @Sendable () -> @Sendable () -> Void

  private struct State {
    /// Lanes without work. They are serial, because libdispatch gives such a queue its own thread. All other queues share their threads with the tasks,
    /// one per core.
    var idle: [DispatchQueue] = []
    /// How many lanes there are.
    var count = 0
    /// What no lane was free for, in order.
    var waiting: [Work] = []
  }

  private let state = Mutex(State())

  init() {}

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      start {
        let result = Result { () throws(Failure) in try work() }
        return { continuation.resume(returning: result) }
      }
    }
    return try result.get()
  }

  private func start(_ work: @escaping Work) {
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

  /// A lane that has ended its work takes what has waited longest, so that nothing waits for a lane that hangs while another one is free.
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
