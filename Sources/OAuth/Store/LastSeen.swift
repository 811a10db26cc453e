import Synchronization

/// Remembers the value of the last look.
final class LastSeen<Value: Sendable & Equatable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Returns whether the value differs from the last one. The first value is always new.
  func isNew(_ found: Value) -> Bool {
    value.withLock { value in
      defer { value = found }
      return value != found
    }
  }
}
