import Platform
import Synchronization

/// Starts the background threads before the process first waits: for input, for a task, or for a reader.
///
/// A process that answers one request from its store and ends waits for nothing. Threads would take 0.25 ms of its 2.7. Until the first wait,
/// nothing is unfinished but the record of when the account was used, so a signal ends the process as it ends other programs.
final class FirstWait: Sendable {
  private let threads = Mutex<@Sendable () -> Void>({})
  private let flag = Atomic<Bool>(false)

  var hasBegun: Bool { flag.load(ordering: .relaxed) }

  /// Adds a thread's body, or starts the thread at once if the wait has begun. Only from the main thread.
  func add(_ body: @escaping @Sendable () -> Void) {
    if hasBegun {
      Self.start(body)
      return
    }
    threads.withLock { threads in
      threads = { [threads] in
        threads()
        Self.start(body)
      }
    }
  }

  /// Begins the wait. The first call must come from the main thread: only one of the new threads gets signals from then on.
  @Sendable func begin() {
    guard !hasBegun, !flag.exchange(true, ordering: .relaxed) else { return }
    Signals.block()
    threads.withLock { $0 }()
  }

  /// Ends the process if the system starts no thread: it could neither answer nor be ended by a signal. Nothing is unfinished yet.
  private static func start(_ body: @escaping @Sendable () -> Void) {
    let code = Thread.start(body)
    guard code != 0 else { return }
    _ = PosixFile.write("oauth-stdio: no thread can be started: \(Descriptors.reason(code))\n", to: 2)
    _exit(1)
  }
}
