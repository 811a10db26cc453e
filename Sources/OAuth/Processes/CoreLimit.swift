import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The size of core dumps: none of ours, since our memory holds tokens; those of the programs that we start are their own affair.
package struct CoreLimit: Sendable {
  /// One child is started at a time, so that none is started while another's start has put the limit back.
  private static let turn = Mutex(())

  /// The soft limit as we found it, in bytes; nil where it has been left alone.
  private let found: rlim_t?

  /// Forbids dumps of ours.
  package static func lower() -> CoreLimit {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != 0 else { return CoreLimit(found: nil) }
    let found = limit.rlim_cur
    limit.rlim_cur = 0
    return CoreLimit(found: setrlimit(resource, &limit) == 0 ? found : nil)
  }

  /// Leaves the limit as it is.
  package static let untouched = CoreLimit(found: nil)

  /// Starts a child with the limit that we found.
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
