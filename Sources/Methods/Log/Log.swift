import Dispatch
import OAuthCore
import Platform
import Synchronization

/// Log lines on stderr for troubleshooting. They contain names, hosts and numbers, but never params, bodies or anything else that may be secret.
///
/// A queue of its own writes them. If the client does not read stderr, only that queue blocks and no request.
package final class Log: LogSink {
  private struct State {
    /// The last warning, and when it was written, in milliseconds.
    var last = (text: "", at: 0)
    var waitingBytes = 0
    var dropped = 0
  }

  /// Bytes of waiting lines: as much as a pipe holds on Linux. A single line may be longer.
  private static let limit = 64 << 10
  /// Milliseconds between two checks while the process waits for its last lines.
  private static let checkIntervalMilliseconds = 100
  /// The number of checks before giving up although stderr seems writable. 50 checks are 5 s, because a busy machine may delay the writer.
  private static let maximumChecks = 50

  private let level: LogMessage.Level
  /// The user's file; nil if there is none.
  private let file: Int32?
  private let queue = DispatchQueue(label: "log")
  private let state = Mutex(State())

  package init(level: LogMessage.Level, file: Int32? = nil) { (self.level, self.file) = (level, file) }

  /// Logs a message of the library. This is the only path from the library to the log.
  package func take(_ message: LogMessage) { say(message.level, message.text) }

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
    return state.withLock { state in
      if state.last.text == text, now - state.last.at < 1000 { return true }
      state.last = (text, now)
      return false
    }
  }

  /// Queues lines and returns at once. Drops and counts them if the queue is full.
  /// Servers, databases and files choose some of the text: it must not control a terminal. What is for programs is `verbatim`.
  package func line(_ text: String, verbatim: Bool = false) {
    let line = text.plainLines + "\n"
    let shown = Terminal.wrapped(text.plainLines, to: verbatim ? nil : Terminal.width(of: 2)) + "\n"
    let count = line.utf8.count
    let isQueued = state.withLock { state in
      guard state.waitingBytes == 0 || state.waitingBytes + count <= Self.limit else {
        state.dropped += 1
        return false
      }
      state.waitingBytes += count
      return true
    }
    guard isQueued else { return }
    queue.async { [self] in
      // A line that stderr rejects is lost.
      _ = PosixFile.write(shown, to: 2)
      if let file { _ = PosixFile.write(line, to: file) }
      let dropped = state.withLock { exchange(&$0.dropped, with: 0) }
      if dropped > 0 {
        _ = PosixFile.write("oauth-stdio: warning: \(dropped) log lines were dropped because stderr was not read\n", to: 2)
      }
      state.withLock { $0.waitingBytes -= count }
    }
  }

  /// Waits at the end of the process until all lines are written, or until the reader has stopped reading.
  package func flush() {
    guard state.withLock({ $0.waitingBytes }) > 0 else { return }
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    for _ in 0..<Self.maximumChecks {
      if written.wait(timeout: .now() + .milliseconds(Self.checkIntervalMilliseconds)) == .success { return }
      var stderr = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
      if poll(&stderr, 1, 0) == 0 { return }
    }
  }
}
