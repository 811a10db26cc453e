import Synchronization

/// Lets the output, which is made first, reach the ending, which needs the output.
final class EndingBox: Sendable {
  private let held = Mutex<Ending?>(nil)

  var ending: Ending? { held.withLock { $0 } }

  func set(_ ending: Ending) { held.withLock { $0 = ending } }
}
