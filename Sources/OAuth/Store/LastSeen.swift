import Synchronization

/// The value that was there when it was last looked at.
final class LastSeen<Value: Sendable & Equatable>: Sendable {
  private let value = Mutex<Value?>(nil)

  /// Whether it is another one than last time; the first is always new.
  func isNew(_ found: Value) -> Bool {
    value.withLock { value in
      defer { value = found }
      return value != found
    }
  }
}
