import Synchronization

/// How often something happened.
final class EventCount: Sendable {
  private let count = Mutex(0)
  var value: Int { count.withLock { $0 } }

  /// Gives the new number, 1 for the first.
  @discardableResult
  func add() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
