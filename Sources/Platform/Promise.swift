import Synchronization

/// A value that is settled once and that several waiters can await. A cancelled waiter affects neither the work nor the other waiters.
package final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var outcome: Result<Value, any Error>?
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    var next = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Number of waiters.
  package var waiting: Int { state.withLock { $0.waiters.count } }

  /// Settles the promise. Only the first outcome counts; returns whether it was this one.
  @discardableResult package func settle(_ outcome: Result<Value, any Error>) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters ?? [] { waiter.resume(with: outcome) }
    return waiters != nil
  }

  /// Returns the value; throws `CancellationError` as soon as the waiting task is cancelled.
  package func value() async throws -> Value {
    let number = state.withLock { state -> Int in
      defer { state.next += 1 }
      return state.next
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Value, any Error>? in
          if let outcome = state.outcome { return outcome }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[number] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
}
