import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Threads that may stand still, for the few things that wait outside of tasks.
enum Threads {
  static func start(_ work: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Work(work))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // 256 KiB: these threads wait and call little.
    pthread_attr_setstacksize(&attributes, 256 << 10)
    if pthread_create(&thread, &attributes, threadMain, box.toOpaque()) != 0 { box.release() }
    pthread_attr_destroy(&attributes)
  }

  fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

#if canImport(Glibc)
  private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<Threads.Work>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }
#else
  private func threadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Threads.Work>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }
#endif
