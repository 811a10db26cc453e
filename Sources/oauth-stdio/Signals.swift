#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SIGTERM, SIGHUP and SIGINT as values for a thread that waits for them, because nothing of ours may run inside a signal handler.
enum Signals {
  private static let numbers = [SIGTERM, SIGHUP, SIGINT]

  /// To be called before any thread starts, so that all inherit it. A pipe without a reader is told by EPIPE instead of SIGPIPE.
  static func block() {
    _ = signal(SIGPIPE, SIG_IGN)
    var set = Signals.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next of them.
  static func wait() -> Int32 {
    var set = Signals.set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
