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

  /// Settles the promise. Only the first outcome counts.
  package func settle(_ outcome: Result<Value, any Error>) {
    let waiters = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
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

/// A condition that one thread sets once and others look at.
package final class Flag: Sendable {
  private let value = Atomic(false)

  package init() {}

  package var isSet: Bool { value.load(ordering: .relaxed) }

  package func set() { value.store(true, ordering: .relaxed) }
}

/// Runs at most one piece of work for each key. Callers that come meanwhile share its result.
///
/// The work runs in a task of its own: the cancellation of one caller affects neither the work nor the other callers.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let flights = Mutex<[Key: Promise<Value>]>([:])

  package init() {}

  package var isEmpty: Bool { flights.withLock { $0.isEmpty } }

  /// Returns the result of the running work; nil if none runs for the key.
  package func running(_ key: Key) -> Promise<Value>? { flights.withLock { $0[key] } }

  /// Returns the result of the running work, or starts `work` if none runs.
  package func value(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await join(key, work).value()
  }

  /// Joins the running work, or starts `work` if none runs. Does not wait.
  package func join(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Promise<Value> {
    let (flight, isNew) = flights.withLock { flights -> (Promise<Value>, Bool) in
      if let running = flights[key] { return (running, false) }
      let flight = Promise<Value>()
      flights[key] = flight
      return (flight, true)
    }
    if isNew { Task { [self] in await run(key, flight, work) } }
    return flight
  }

  private func run(_ key: Key, _ flight: Promise<Value>, _ work: @Sendable () async throws -> Value) async {
    let result: Result<Value, any Error>
    do {
      result = .success(try await work())
    } catch {
      result = .failure(error)
    }
    // A caller that has the result and asks again starts new work.
    flights.withLock { $0[key] = nil }
    flight.settle(result)
  }
}
