/// What `work` brings, or nil where it takes longer than so many seconds; then it is cancelled, and waited for until it has heard of that.
func within<Value: Sendable>(_ seconds: Int, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value? {
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

/// When whoever asked has to have an answer. It stands from the request's beginning, whatever is waited for on the way, and whoever sets the clock.
struct Deadline: Sendable {
  /// How long there was, in seconds.
  let seconds: Int
  private let end: ContinuousClock.Instant

  init(in seconds: Int) {
    self.seconds = seconds
    end = .now + .seconds(seconds)
  }

  /// Seconds until then, one that has begun counted whole; 0 once it is over.
  var left: Int {
    let left = ContinuousClock.now.duration(to: end).components
    return left.seconds < 0 || left.attoseconds < 0 ? 0 : Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0)
  }
}
