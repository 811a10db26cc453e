import Synchronization

/// Prevents core dumps of this process, because its memory holds tokens. Started programs get the original limit back.
package struct CoreDumpLimit: Sendable {
  /// Only one child starts at a time. Otherwise one start could lower the limit again during another.
  private static let turn = Mutex(())

  /// The original soft limit in bytes; nil if it was not changed.
  private let found: rlim_t?

  /// Forbids core dumps of this process.
  package static func lower() -> CoreDumpLimit {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != 0 else { return CoreDumpLimit(found: nil) }
    let found = limit.rlim_cur
    limit.rlim_cur = 0
    return CoreDumpLimit(found: setrlimit(resource, &limit) == 0 ? found : nil)
  }

  /// Leaves the limit as it is.
  package static let untouched = CoreDumpLimit(found: nil)

  /// Runs `start` with the original limit.
  package func lifted<Value>(_ start: () -> Value) -> Value {
    guard let found else { return start() }
    return Self.turn.withLock { _ in
      Self.set(found)
      defer { Self.set(0) }
      return start()
    }
  }

  private static func set(_ value: rlim_t) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = value
    _ = setrlimit(resource, &limit)
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue))
  #else
    private static let resource = RLIMIT_CORE
  #endif
}
