import Synchronization

/// Gives the output access to the ending. The output is created first, and the ending needs it.
final class ShutdownSequenceBox: Sendable {
  private let held = Mutex<ShutdownSequence?>(nil)

  var ending: ShutdownSequence? { held.withLock { $0 } }

  func set(_ ending: ShutdownSequence) { held.withLock { $0 = ending } }
}
