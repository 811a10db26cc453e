import Dispatch
import Platform
import Synchronization

/// Writes log lines to stderr on its own thread. If the client does not read stderr, only that thread blocks and no request.
final class LogWriter: Sendable {
  /// Bytes of waiting lines: as much as a pipe holds on Linux. A single line may be longer.
  private static let limit = 64 << 10
  /// Milliseconds between two checks while the process waits for its last lines.
  private static let checkIntervalMilliseconds = 100
  /// The number of checks before giving up although stderr seems writable. 50 checks are 5 s, because a busy machine may delay the writer.
  private static let maximumChecks = 50

  private struct State {
    var waiting: [String] = []
    var bytes = 0
    var dropped = 0
    var isWriting = false
    var hasThread = false
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let written = DispatchSemaphore(value: 0)

  /// Queues a line and returns at once. If the queue is full, drops the line and counts it.
  func write(_ line: String) {
    let startsThread = state.withLock { state in
      guard state.bytes == 0 || state.bytes + line.utf8.count < Self.limit else {
        state.dropped += 1
        return false
      }
      state.waiting.append(line)
      state.bytes += line.utf8.count + 1
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if startsThread { Thread.start { self.run() } }
    arrived.signal()
  }

  /// Waits until all lines are written, or until the reader has stopped reading.
  func flush() {
    var checks = 0
    while !isDone, checks < Self.maximumChecks {
      guard written.wait(timeout: .now() + .milliseconds(Self.checkIntervalMilliseconds)) == .timedOut else { continue }
      checks += 1
      var stderr = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
      if poll(&stderr, 1, 0) == 0 { return }
    }
  }

  private var isDone: Bool { state.withLock { $0.waiting.isEmpty && $0.dropped == 0 && !$0.isWriting } }

  private func run() {
    while true {
      arrived.wait()
      let (lines, dropped) = state.withLock { state in
        defer { (state.waiting, state.bytes, state.dropped, state.isWriting) = ([], 0, 0, true) }
        return (state.waiting, state.dropped)
      }
      for line in lines { Self.put(line) }
      if dropped > 0 { Self.put("oauth-stdio: warning: \(dropped) log lines were dropped because stderr was not read") }
      state.withLock { $0.isWriting = false }
      written.signal()
    }
  }

  /// Writes one line. If stderr rejects it, the line is lost.
  private static func put(_ line: String) { _ = PosixFile.write(line + "\n", to: 2) }
}
