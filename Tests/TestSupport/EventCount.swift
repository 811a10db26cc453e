import Synchronization

/// Counts events.
package final class EventCount: Sendable {
  private let count = Mutex(0)
  package var value: Int { count.withLock { $0 } }

  package init() {}

  /// Returns the new number, 1 for the first.
  @discardableResult
  package func add() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
