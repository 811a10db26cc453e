#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs one closure and is never joined.
///
/// Each connection blocks in `read` and `write`, which Swift's cooperative pool can't bear.
enum DetachedThread {
  /// Starts the work, or says so with `false` when the system has no thread to give (`EAGAIN`).
  static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
    let retained = Unmanaged.passRetained(ThreadWork(run: work))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    guard pthread_create(&thread, nil, threadEntry, retained.toOpaque()) == 0 else {
      retained.release()
      return false
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    return true
  }
}

private final class ThreadWork: Sendable {
  let run: @Sendable () -> Void
  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

#if canImport(Glibc)
  private func threadEntry(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func threadEntry(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#endif
