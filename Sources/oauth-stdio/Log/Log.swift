import OAuthCore
import Platform
import Synchronization

/// Log lines on stderr for troubleshooting. They contain names, hosts and numbers, but never params, bodies or anything else that may be secret.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable, Comparable {
    case error, warning, info, debug

    static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  let level: Level
  private let clock: Clock
  private let writer = LogWriter()
  private let repeated = Held(RepeatedLines())

  init(level: Level, _ clock: Clock) { (self.level, self.clock) = (level, clock) }

  func error(_ message: @autoclosure () -> String) { say(.error, message) }
  func warning(_ message: @autoclosure () -> String) { say(.warning, message) }
  func info(_ message: @autoclosure () -> String) { say(.info, message) }
  func debug(_ message: @autoclosure () -> String) { say(.debug, message) }

  /// Logs a remark of the library. This is the only path from the library to the log.
  func take(_ log: LogMessage) {
    switch log.level {
    case .error: error(log.text)
    case .warning: warning(log.text)
    case .debug: debug(log.text)
    }
  }

  private func say(_ level: Level, _ message: () -> String) {
    guard level <= self.level else { return }
    // A name that contains a line end must not start a second line.
    let text = "oauth-stdio: \(level.rawValue): \(message().plain)"
    guard level <= .warning else { return line(text) }
    for text in repeated.state.withLock({ $0.pass(text, at: clock.uptime()) }) { line(text) }
  }

  /// Writes one line unchanged. Returns before it is written.
  func line(_ text: String) { writer.write(text) }

  /// Reports the lines that were held back and writes the last ones. Call this at the end of the process.
  func flush() {
    let count = repeated.state.withLock { $0.takeCount() }
    if count > 0 { line("oauth-stdio: warning: \(count) repeated lines were left out") }
    writer.flush()
  }

  /// Shared by all copies of the log.
  private final class Held: Sendable {
    let state: Mutex<RepeatedLines>

    init(_ lines: sending RepeatedLines) { state = Mutex(lines) }
  }
}
