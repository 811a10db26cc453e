import CPlatform

/// SIGTERM, SIGHUP and SIGINT as values for a thread that waits for them, because a signal handler may run none of our code.
package enum Signals {
  /// Without those that the parent ignores, as nohup(1) and the `&` of a script do. They stay ignored.
  private static let numbers = [SIGTERM, SIGHUP, SIGINT].filter { cplatform_ignores($0) == 0 }

  /// Ignores the signals of failed writes: a pipe without a reader then fails with EPIPE, and a file beyond the size limit with EFBIG. Lets the
  /// others end the process, also if its parent has blocked them. A crash does so at once. Swift's backtrace would print memory, which holds tokens,
  /// and wait without end for the threads of a private process.
  package static func prepare() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for crash in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] where cplatform_ignores(crash) == 0 {
      _ = signal(crash, SIG_DFL)
    }
    var set = Signals.set
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Blocks the signals, so that `wait` gets them. Threads that this one starts later inherit that.
  package static func block() {
    var set = Signals.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next signal and returns its number.
  package static func wait() -> Int32 {
    var set = Signals.set
    var number: Int32 = 0
    while sigwait(&set, &number) != 0 {}
    return number
  }

  /// Ignores the pending signals.
  package static func drop() {
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
