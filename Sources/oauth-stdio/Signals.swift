#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SIGTERM, SIGHUP and SIGINT as values for a thread that waits for them, because nothing of ours may run inside a signal handler.
enum Signals {
  private static let numbers = [SIGTERM, SIGHUP, SIGINT]

  /// To be called before any thread starts, so that all inherit it. A pipe without a reader is told by EPIPE instead of SIGPIPE, a
  /// file beyond the size limit by EFBIG instead of SIGXFSZ.
  static func block() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
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

  /// Passes over those that have come and that nobody has waited for.
  static func drop() {
    var pending = sigset_t()
    while sigpending(&pending) == 0, numbers.contains(where: { sigismember(&pending, $0) == 1 }) { _ = wait() }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}
