import CPlatform

/// Starts threads that may block, which tasks must not do.
package enum Thread {
  /// Starts a detached thread that receives no signals, because one thread waits for them. Returns 0 or the error number of pthread_create.
  ///
  /// The default stack of 256 KiB is enough for work that waits and calls little. The usual 8 MiB would count against limits on address space.
  @discardableResult
  package static func start(stackSize: Int = 256 << 10, _ work: @escaping @Sendable () -> Void) -> Int32 {
    let box = Unmanaged.passRetained(Work(work))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    let result = pthread_create(&thread, &attributes, threadMain, box.toOpaque())
    if result != 0 { box.release() }
    return result
  }

  final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
  }
}

#if canImport(Glibc)
  private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Thread.Work>.fromOpaque(argument).takeRetainedValue().run() }
    return nil
  }
#else
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Thread.Work>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }
#endif
