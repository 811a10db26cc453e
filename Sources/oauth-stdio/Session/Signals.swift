import Platform

/// SIGTERM, SIGHUP and SIGINT as values for a thread that waits for them, because a signal handler may run none of our code.
enum Signals {
  private static let numbers = [SIGTERM, SIGHUP, SIGINT]

  /// Blocks these signals. Call this before any thread starts, because threads inherit the mask. A pipe without a reader then fails with EPIPE
  /// instead of SIGPIPE, and a file beyond the size limit with EFBIG instead of SIGXFSZ.
  static func block() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    var set = Signals.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Lets a signal end the process during `work`, as it ends other programs. For reading before there is a session, whose thread waits for signals.
  static func unblocked<Value>(_ work: () -> Value) -> Value {
    var set = Signals.set
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    defer { pthread_sigmask(SIG_BLOCK, &set, nil) }
    return work()
  }

  /// Waits for the next signal and returns its number.
  static func wait() -> Int32 {
    var set = Signals.set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ignores the pending signals.
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
