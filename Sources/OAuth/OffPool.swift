import Dispatch
import Synchronization

/// Runs what blocks on threads that tasks do not share: with two cores, two blocked threads would stop everything.
package final class OffPool: Sendable {
  private static let shared = OffPool()
  /// Eight calls may block before the next one waits: a folder of a server that is gone shall not hold up what is done elsewhere.
  static let limit = 8

  private struct Lane {
    /// Serial, because libdispatch gives such a queue a thread of its own; all others share as many threads with the tasks as there are cores.
    let queue = DispatchQueue(label: "blocking")
    /// How many calls it has taken and not ended.
    var load = 0
  }

  /// Made as they are needed.
  private let lanes = Mutex<[Lane]>([])

  init() {}

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
    let (index, queue) = take()
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let result = Result { () throws(Failure) in try work() }
        lanes.withLock { $0[index].load -= 1 }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  /// The lane with the least to do.
  private func take() -> (Int, DispatchQueue) {
    lanes.withLock { lanes in
      if lanes.allSatisfy({ $0.load > 0 }), lanes.count < Self.limit { lanes.append(Lane()) }
      let index = lanes.indices.min { lanes[$0].load < lanes[$1].load } ?? 0
      lanes[index].load += 1
      return (index, lanes[index].queue)
    }
  }
}
