import OAuthCore
import Platform
import Synchronization

/// Log lines on stderr for troubleshooting. They contain names, hosts and numbers, but never params, bodies or anything else that may be secret.
final class Log: Sendable {
  private let level: LogMessage.Level
  private let writer = LogWriter()
  /// The last warning, and when it was written, in milliseconds.
  private let last = Mutex((text: "", at: 0))

  init(level: LogMessage.Level) { self.level = level }

  /// Logs a message of the library. This is the only path from the library to the log.
  func take(_ message: LogMessage) { say(message.level, message.text) }

  func say(_ level: LogMessage.Level, _ message: @autoclosure () -> String) {
    guard level <= self.level else { return }
    // A name that contains a line end must not start a second line.
    let text = "oauth-stdio: \(level.rawValue): \(message().plain)"
    // A request may find one fault several times, and a page in the user's browser can cause hundreds of lines a second.
    if level <= .warning, isRepeated(text) { return }
    line(text)
  }

  private func isRepeated(_ text: String) -> Bool {
    let now = Clock.system.uptime()
    return last.withLock { last in
      if last.text == text, now - last.at < 1000 { return true }
      last = (text, now)
      return false
    }
  }

  /// Writes lines. Returns before they are written. Servers, databases and files choose some of the text: it must not control a terminal.
  func line(_ text: String) { writer.write(text.plainLines) }

  /// Writes the last lines. Call this at the end of the process.
  func flush() { writer.flush() }
}
