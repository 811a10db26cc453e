import Dispatch
import Platform
import Synchronization

/// Writes log lines to stderr on a queue of its own. If the client does not read stderr, only that queue blocks and no request.
final class LogWriter: Sendable {
  /// Bytes of waiting lines: as much as a pipe holds on Linux. A single line may be longer.
  private static let limit = 64 << 10
  /// Milliseconds between two checks while the process waits for its last lines.
  private static let checkIntervalMilliseconds = 100
  /// The number of checks before giving up although stderr seems writable. 50 checks are 5 s, because a busy machine may delay the writer.
  private static let maximumChecks = 50

  private let waitingBytes = Atomic<Int>(0)
  private let dropped = Atomic<Int>(0)
  private let queue = DispatchQueue(label: "log")

  /// Queues a line and returns at once. If the queue is full, drops the line and counts it.
  func write(_ line: String) {
    let (count, waiting) = (line.utf8.count + 1, waitingBytes.load(ordering: .relaxed))
    guard waiting == 0 || waiting + count <= Self.limit else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    waitingBytes.add(count, ordering: .relaxed)
    queue.async { [self] in
      Self.put(line)
      let dropped = dropped.exchange(0, ordering: .relaxed)
      if dropped > 0 { Self.put("oauth-stdio: warning: \(dropped) log lines were dropped because stderr was not read") }
      waitingBytes.subtract(count, ordering: .relaxed)
    }
  }

  /// Waits until all lines are written, or until the reader has stopped reading.
  func flush() {
    guard waitingBytes.load(ordering: .relaxed) > 0 else { return }
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    for _ in 0..<Self.maximumChecks {
      if written.wait(timeout: .now() + .milliseconds(Self.checkIntervalMilliseconds)) == .success { return }
      var stderr = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
      if poll(&stderr, 1, 0) == 0 { return }
    }
  }

  /// Writes one line. If stderr rejects it, the line is lost.
  private static func put(_ line: String) { _ = PosixFile.write(line + "\n", to: 2) }
}
