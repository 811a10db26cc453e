import Synchronization

/// Runs at most one piece of work of each name. Callers that come meanwhile share its result.
///
/// The work runs in a task of its own: the cancellation of one caller affects neither the work nor the other callers.
package final class SingleFlight<Value: Sendable>: Sendable {
  private let flights = Mutex<[String: Promise<Value>]>([:])

  package init() {}

  /// Returns the result of the running work; nil if none of that name runs.
  package func running(_ name: String) -> Promise<Value>? { flights.withLock { $0[name] } }

  /// Returns the result of the running work, or starts `work` if none runs.
  package func value(_ name: String, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let (flight, isNew) = flights.withLock { flights -> (Promise<Value>, Bool) in
      if let running = flights[name] { return (running, false) }
      let flight = Promise<Value>()
      flights[name] = flight
      return (flight, true)
    }
    if isNew {
      Task { [self] in
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        // A caller that has the result and asks again starts new work.
        flights.withLock { $0[name] = nil }
        flight.settle(result)
      }
    }
    return try await flight.value()
  }
}
