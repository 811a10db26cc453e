import Platform
import Synchronization

/// Starts threads before the process waits for something the first time: for input, for a task, or for a reader.
///
/// A process that answers one request from its store and ends waits for nothing. Threads would take 0.25 ms of its 2.7. Until the first wait,
/// nothing is unfinished, so a signal ends the process as it ends other programs.
final class FirstWait: Sendable {
  private let threads = Mutex<@Sendable () -> Void>({})
  private let flag = Flag()

  var hasBegun: Bool { flag.isSet }

  /// Adds a thread's body. Only before the first wait.
  func add(_ body: @escaping @Sendable () -> Void) {
    threads.withLock { threads in
      threads = { [threads] in
        threads()
        Thread.start(body)
      }
    }
  }

  /// Begins the wait. The first call must come from the main thread: only one of the new threads gets signals from then on.
  @Sendable func begin() {
    guard !flag.isSet else { return }
    flag.set()
    Signals.block()
    threads.withLock { $0 }()
  }
}
