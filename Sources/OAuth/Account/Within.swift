/// What `work` brings, or nil where it takes longer than so many seconds; then it is cancelled, and waited for until it has heard of that.
func within<Value: Sendable>(_ seconds: Int, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try await Task.sleep(for: .seconds(seconds))
      return nil
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw CancellationError() }
    return first
  }
}
