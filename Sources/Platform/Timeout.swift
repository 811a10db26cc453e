/// Returns the result of `work`, or nil after `seconds`. The work is then cancelled, and the function waits until it has ended.
package func withTimeout<Value: Sendable>(_ seconds: Int, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Pause.sleep(seconds: seconds)
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
