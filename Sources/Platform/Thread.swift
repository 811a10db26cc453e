import CPlatform
import Dispatch
import Synchronization

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

  fileprivate final class Work: Sendable {
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

/// Runs blocking work on threads that tasks do not share. On two cores, two blocked threads would stop every task.
package final class Blocking: Sendable {
  private static let shared = Blocking()
  /// Maximum number of calls that block at the same time; further calls wait.
  /// With one thread, a folder on an unreachable server would delay other work.
  package static let limit = 8

  /// Does the work. Returns a closure that resumes the task that waits for the result.
  typealias Work = @Sendable () -> @Sendable () -> Void

  struct State {
    /// The number of calls that run.
    var count = 0
    /// Work that waits for its turn, oldest first.
    var waiting: [Work] = []
  }

  let state = Mutex(State())

  package init() {}

  package static func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure)
    -> Value
  {
    try await shared.run(work)
  }

  /// Does the work on a queue.
  package func run<Value: Sendable, Failure: Error>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value
  {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      start {
        let result = Result { () throws(Failure) in try work() }
        return { continuation.resume(returning: result) }
      }
    }
    return try result.get()
  }

  /// Starts work whose result no task waits for. The group counts it until it is done.
  package func start(in group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
    group.enter()
    start {
      work()
      return { group.leave() }
    }
  }

  func start(_ work: @escaping Work) {
    let mayStart = state.withLock { state in
      state.waiting.append(work)
      guard state.count < Self.limit else { return false }
      state.count += 1
      return true
    }
    // libdispatch gives a serial queue its own thread. All other queues share their threads with the tasks, one per core.
    if mayStart { DispatchQueue(label: "blocking").async { self.run() } }
  }

  /// Runs the oldest waiting work until none is left. What it holds, such as a temporary file, is gone when its task resumes.
  private func run() {
    func next() -> Work? {
      state.withLock { state in
        if state.waiting.isEmpty { state.count -= 1 }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
    }
    while let resume = next()?() { resume() }
  }
}
