import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tries the browser commands for one page in turn. Runs on a thread that waits for each child, so that no child stays a zombie.
final class BrowserAttempts: Sendable {
  struct Attempt: Sendable {
    let program: String
    let arguments: [String]
  }

  /// Milliseconds. A command that fails within this time has shown no page. A slow machine needs seconds to find that it has no browser.
  private static let soon: UInt64 = 10_000

  private let attempts: [Attempt]
  private let environment: @Sendable () -> [String: String]
  private let coreLimit: CoreDumpLimit
  private let log: @Sendable (LogMessage) -> Void
  private let failure: Promise<Void>

  init(
    _ attempts: [Attempt], environment: @escaping @Sendable () -> [String: String], coreLimit: CoreDumpLimit,
    log: @escaping @Sendable (LogMessage) -> Void, failure: Promise<Void>
  ) {
    (self.attempts, self.environment, self.coreLimit) = (attempts, environment, coreLimit)
    (self.log, self.failure) = (log, failure)
  }

  /// Starts the thread. Returns false if it could not be started.
  ///
  /// 512 KiB of stack: the thread reads the configuration and then waits, for hours if the browser runs in the foreground.
  func start() -> Bool { Thread.start(stackSize: 512 << 10) { self.run() } == 0 }

  private func run() {
    let environment = environment()
    for attempt in attempts {
      let child = ChildProcess(attempt.program, attempt.arguments, environment: environment, group: .session)
      let begin = loopbackNow()
      do throws(ChildProcess.Fault) {
        let status = Self.end(of: try child.start(coreLimit))
        guard status != 0, loopbackNow() - begin < Self.soon else { return }
        log(.browserFailed(program: attempt.program, reason: Self.description(status)))
      } catch {
        log(.browserFailed(program: attempt.program, reason: error.reason))
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
