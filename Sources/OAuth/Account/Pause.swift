import Dispatch

/// Waits that leave nothing behind: a cancelled `Task.sleep` keeps its memory and wakes the process when its time has come all the same.
enum Pause {
  private static let queue = DispatchQueue(label: "pauses")

  /// Throws `CancellationError` as soon as the task is cancelled.
  static func sleep(milliseconds: Int) async throws {
    let end = Promise<Void>()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(milliseconds))
    timer.setEventHandler { end.settle(.success(())) }
    timer.activate()
    defer { timer.cancel() }
    try await end.value()
  }

  static func sleep(seconds: Int) async throws { try await sleep(milliseconds: seconds * 1000) }
}
