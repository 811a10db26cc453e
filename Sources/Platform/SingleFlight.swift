import Synchronization

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
    guard isNew else { return flight }
    Task { [self] in
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      // A caller that has the result and asks again starts new work.
      flights.withLock { $0[key] = nil }
      flight.settle(result)
    }
    return flight
  }
}
