#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The browser commands for one page, tried one after the other on a thread that waits for each child, so that none is left as a zombie.
final class BrowserAttempts: Sendable {
  struct Attempt: Sendable {
    let program: String
    let arguments: [String]
  }

  /// In milliseconds: a command that fails within this time has shown no page. A slow machine needs seconds to find out that it has no browser.
  private static let soon: UInt64 = 10_000

  private let attempts: [Attempt]
  private let environment: @Sendable () -> [String: String]
  private let coreLimit: CoreLimit
  private let remark: @Sendable (Remark) -> Void
  private let failure: Promise<Void>

  init(
    _ attempts: [Attempt], environment: @escaping @Sendable () -> [String: String], coreLimit: CoreLimit,
    remark: @escaping @Sendable (Remark) -> Void, failure: Promise<Void>
  ) {
    (self.attempts, self.environment, self.coreLimit) = (attempts, environment, coreLimit)
    (self.remark, self.failure) = (remark, failure)
  }

  /// False where no thread could be started.
  func start() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // 512 KiB: it reads the configuration and then waits, for hours where the browser runs in the foreground.
    pthread_attr_setstacksize(&attributes, 512 << 10)
    let argument = Unmanaged.passRetained(self)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let isStarted = pthread_create(&thread, &attributes, browserThreadMain, argument.toOpaque()) == 0
    if !isStarted { argument.release() }
    return isStarted
  }

  fileprivate func run() {
    // A signal handled on this thread would be kept from the main thread.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    let environment = environment()
    for attempt in attempts {
      let child = ChildProcess(attempt.program, attempt.arguments, environment: environment, group: .session)
      let begin = loopbackNow()
      do throws(ChildProcess.Fault) {
        let status = Self.end(of: try child.start(coreLimit))
        guard status != 0, loopbackNow() - begin < Self.soon else { return }
        remark(.browserFailed(program: attempt.program, reason: Self.description(status)))
      } catch {
        remark(.browserFailed(program: attempt.program, reason: error.reason))
      }
    }
    failure.settle(.success(()))
  }

  private static func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  private static func description(_ status: Int32) -> String {
    let signal = status & 0x7F
    return signal == 0 ? "it ended with status \((status >> 8) & 0xFF)" : "signal \(signal) ended it"
  }
}

#if canImport(Glibc)
  private func browserThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    runBrowserThread(argument)
    return nil
  }
#else
  private func browserThreadMain(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    runBrowserThread(argument)
    return nil
  }
#endif

private func runBrowserThread(_ argument: UnsafeMutableRawPointer?) {
  guard let argument else { return }
  Unmanaged<BrowserAttempts>.fromOpaque(argument).takeRetainedValue().run()
}
