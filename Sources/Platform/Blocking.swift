import CPlatform
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
    /// The number of calls that run.
    var count = 0
    /// Work that waits for its turn, oldest first.
    var waiting: [Work] = []
  }

  let state = Mutex(State())

  package init() {}

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  /// Does the work on a queue.
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
    let mayStart = state.withLock { state in
      state.waiting.append(work)
      guard state.count < Self.limit else { return false }
      state.count += 1
      return true
    }
    // libdispatch gives a serial queue its own thread. All other queues share their threads with the tasks, one per core.
    if mayStart { DispatchQueue(label: "blocking").async { self.run() } }
  }

  /// Runs the oldest waiting work until none is left. What it holds, such as a temporary file, is gone when its task resumes.
  private func run() {
    func next() -> Work? {
      state.withLock { state in
        if state.waiting.isEmpty { state.count -= 1 }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
    }
    while let resume = next()?() { resume() }
  }
}
