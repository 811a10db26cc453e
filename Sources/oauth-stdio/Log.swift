import Jansson
import OAuth
import Synchronization

/// Lines on stderr for whoever looks for a fault; names, hosts and numbers, never params, bodies or anything else that may be secret.
struct Log: Sendable {
  enum Level: String, CaseIterable, Sendable, Comparable {
    case error, warning, info, debug

    static func < (left: Level, right: Level) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }

  let level: Level
  private let writer = LogWriter()
  private let repeated = Held(RepeatedLines())

  init(level: Level) { self.level = level }

  func error(_ message: @autoclosure () -> String) { say(.error, message) }
  func warning(_ message: @autoclosure () -> String) { say(.warning, message) }
  func info(_ message: @autoclosure () -> String) { say(.info, message) }
  func debug(_ message: @autoclosure () -> String) { say(.debug, message) }

  /// What the library has to say; the one way from there into the log.
  func take(_ remark: Remark) {
    switch remark.level {
    case .error: error(remark.text)
    case .warning: warning(remark.text)
    case .debug: debug(remark.text)
    }
  }

  private func say(_ level: Level, _ message: () -> String) {
    guard level <= self.level else { return }
    // A name with a line end in it must not make a second line.
    let text = "oauth-stdio: \(level.rawValue): \(message().plain)"
    guard level <= .warning else { return line(text) }
    for text in repeated.state.withLock({ $0.pass(text, at: .now) }) { line(text) }
  }

  /// One line as it stands; returns before it is written.
  func line(_ text: String) { writer.write(text) }

  /// To be called at the process's end: what was held back is told of, and the last lines are written.
  func flush() {
    let count = repeated.state.withLock { $0.takeCount() }
    if count > 0 { line("oauth-stdio: warning: \(count) repeated lines were left out") }
    writer.flush()
  }

  /// Lets copies of the log share what was written.
  private final class Held: Sendable {
    let state: Mutex<RepeatedLines>

    init(_ lines: sending RepeatedLines) { state = Mutex(lines) }
  }
}
