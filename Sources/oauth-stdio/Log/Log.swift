import OAuthCore
import Platform
import Synchronization

/// Log lines on stderr for troubleshooting. They contain names, hosts and numbers, but never params, bodies or anything else that may be secret.
final class Log: Sendable {
  private let level: LogMessage.Level
  private let clock: Clock
  private let writer = LogWriter()
  private let repeated = Mutex(RepeatedLines())

  init(level: LogMessage.Level, _ clock: Clock) { (self.level, self.clock) = (level, clock) }

  /// Logs a message of the library. This is the only path from the library to the log.
  func take(_ message: LogMessage) { say(message.level, message.text) }

  func say(_ level: LogMessage.Level, _ message: @autoclosure () -> String) {
    guard level <= self.level else { return }
    // A name that contains a line end must not start a second line.
    let text = "oauth-stdio: \(level.rawValue): \(message().plain)"
    guard level <= .warning else { return line(text) }
    for text in repeated.withLock({ $0.pass(text, at: clock.uptime()) }) { line(text) }
  }

  /// Writes lines. Returns before they are written. Servers, databases and files choose some of the text: it must not control a terminal.
  func line(_ text: String) { writer.write(text.plainLines) }

  /// Reports the lines that were held back and writes the last ones. Call this at the end of the process.
  func flush() {
    let count = repeated.withLock { $0.takeCount() }
    if count > 0 { line("oauth-stdio: warning: \(count) repeated lines were left out") }
    writer.flush()
  }
}
