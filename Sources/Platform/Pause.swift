import Dispatch

/// Waits that leave no trace. A cancelled `Task.sleep` keeps its memory and still wakes the process when its time has come.
package enum Pause {
  private static let queue = DispatchQueue(label: "pauses")

  /// Waits; throws `CancellationError` as soon as the task is cancelled.
  package static func sleep(milliseconds: Int) async throws {
    let end = Promise<Void>()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(milliseconds))
    timer.setEventHandler { end.settle(.success(())) }
    timer.activate()
    defer { timer.cancel() }
    try await end.value()
  }

  package static func sleep(seconds: Int) async throws { try await sleep(milliseconds: seconds * 1000) }
}
