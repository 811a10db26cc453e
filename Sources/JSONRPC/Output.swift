import Dispatch
import Jansson
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The only writer of the stream. It writes frames whole and in order.
///
/// The reading thread writes directly, which avoids a thread switch, and gathers its answers to what one `read` has returned.
/// Tasks hand their frames over, because a slow client must never block the threads that tasks share.
package final class Output: Sendable {
  private let descriptor: Int32
  /// Whether it is a pipe or a socket. A stopped terminal accepts less than it reports, and a file always reports ready but may be slow.
  private let tellsRoom: Bool
  private let isTerminal: Bool
  private let queue = DispatchQueue(label: "output")
  private let framing: Mutex<Framing>
  private let pinned: Framing?
  private let backlog = Atomic<Int>(0)
  /// The reading thread's frames that are not yet written. One write for all of them doubles the answers a second with 64 requests in flight.
  private let gathered = Mutex<[UInt8]>([])
  /// Bytes written so far.
  private let written = Atomic<Int>(0)
  /// Held while a frame is written.
  private let writing = Mutex(())
  /// 256 KiB. The reading thread gathers no more.
  private static let gatheredLimit = 256 << 10
  /// 64 MiB. With more, the process takes no input, and its API calls take no more of their bodies.
  private static let limit = 64 << 20
  /// 16 KiB, a quarter of a pipe. The pieces show whether a slow reader still takes something.
  private static let pieceLimit = 16 << 10
  /// Checks, 100 ms apart. At an urgent end, the process exits if the reader takes nothing during so many of them.
  private static let maximumIdleChecks = 20

  /// The errno of a failed write, or 0.
  private let fault = Atomic<Int32>(0)
  private let onBroken: @Sendable () -> Void

  /// Why output failed. nil without a failure, or if the reader closed the stream (EPIPE). An answer that the client expects may be lost.
  package var lossReason: String? {
    let code = fault.load(ordering: .relaxed)
    return code == 0 || code == EPIPE ? nil : String(cString: strerror(code)).lowercased()
  }

  /// Calls `onBroken` once when writing fails, most often because the reader has closed the stream (EPIPE).
  package init(descriptor: Int32, pinned: Framing?, onBroken: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    var status = stat()
    tellsRoom = fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    isTerminal = isatty(descriptor) == 1
    (self.pinned, self.onBroken) = (pinned, onBroken)
    framing = Mutex(pinned ?? .lines)
  }

  /// Sets the framing for answers to that of the last message read.
  package func follow(_ read: Framing) {
    if pinned == nil { framing.withLock { $0 = read } }
  }

  /// The number of bytes that are not yet written. Senders of large data check it first and wait.
  package var pendingBytes: Int { backlog.load(ordering: .relaxed) }
  package var isFull: Bool { pendingBytes > Self.limit }

  /// Returns at once unless the output is full, else when the client has read all of it. Only for the reading thread.
  package func waitForReader() {
    guard isFull else { return }
    queue.sync {}
  }

  /// With `fromReader`, the frame is written by the next `writeGathered`, or before the next frame of a task.
  package func send(_ message: consuming [UInt8], fromReader: Bool = false) {
    // Servers choose some of the text. It must not control a terminal.
    let frame = framing.withLock { $0 }.frame(isTerminal ? IndentedJSON.escaped(message) : message)
    if fromReader { return gather(frame) }
    releaseGathered()
    if !writeAtOnce(frame) {
      backlog.add(frame.count, ordering: .relaxed)
      queue.async {
        self.write(frame)
        self.backlog.subtract(frame.count, ordering: .relaxed)
      }
    }
  }

  /// Writes a task's short frame if that can't block. Returns false if other frames are first or the client doesn't read.
  ///
  /// A ready pipe or socket accepts PIPE_BUF bytes. Handing every frame over costs a thread switch: a call then had 10 context switches, and has 7
  /// now.
  private func writeAtOnce(_ frame: [UInt8]) -> Bool {
    guard tellsRoom, frame.count <= Int(PIPE_BUF) else { return false }
    return writing.withLockIfAvailable { _ in
      guard backlog.load(ordering: .relaxed) == 0 else { return false }
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&state, 1, 0) == 1, state.revents == Int16(POLLOUT) else { return false }
      writeLocked(frame)
      return true
    } ?? false
  }

  /// Returns when all output so far is written. While `isUrgent` is true, also returns if the reader takes nothing for two
  /// seconds, because the process must end without a reader.
  package func flush(isUrgent: () -> Bool = { false }) {
    guard pendingBytes > 0 else { return }
    releaseGathered()
    let done = DispatchSemaphore(value: 0)
    // The reading thread writes in addition to the queue.
    queue.async { [self] in writing.withLock { _ in _ = done.signal() } }
    var (before, checks) = (-1, 0)
    while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      let now = written.load(ordering: .relaxed)
      checks = isUrgent() && now == before ? checks + 1 : 0
      before = now
      if checks == Self.maximumIdleChecks { return }
    }
  }

  /// Writes the gathered frames from the reading thread, which continues after its bytes are written.
  package func writeGathered() {
    guard !gathered.withLock({ $0.isEmpty }) else { return }
    if writing.withLock({ _ in writeGatheredLocked() }) { return }
    // They are taken in the queue. A task's frame that came in between would overtake them.
    let count = queue.sync {
      let frames = takeGathered()
      write(frames)
      return frames.count
    }
    backlog.subtract(count, ordering: .relaxed)
  }

  /// Writes the gathered frames if no other frame is in the queue. Returns false otherwise. A task's frame that comes now has to wait for the lock.
  private func writeGatheredLocked() -> Bool {
    guard gathered.withLock({ $0.count == backlog.load(ordering: .relaxed) }) else { return false }
    let frames = takeGathered()
    writeLocked(frames)
    backlog.subtract(frames.count, ordering: .relaxed)
    return true
  }

  private func takeGathered() -> [UInt8] {
    gathered.withLock { gathered in
      defer { gathered = [] }
      return gathered
    }
  }

  private func gather(_ frame: [UInt8]) {
    backlog.add(frame.count, ordering: .relaxed)
    let count = gathered.withLock { gathered in
      if gathered.isEmpty { gathered = frame } else { gathered += frame }
      return gathered.count
    }
    if count >= Self.gatheredLimit { writeGathered() }
  }

  /// Hands the gathered frames over, before other frames that are newer.
  private func releaseGathered() {
    gathered.withLock { gathered in
      guard !gathered.isEmpty else { return }
      let frames = gathered
      gathered = []
      queue.async {
        self.write(frames)
        self.backlog.subtract(frames.count, ordering: .relaxed)
      }
    }
  }

  private func write(_ frame: [UInt8]) { writing.withLock { _ in writeLocked(frame) } }

  private func writeLocked(_ frame: [UInt8]) {
    guard fault.load(ordering: .relaxed) == 0 else { return }
    var rest = frame[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, min($0.count, Self.pieceLimit)) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        written.add(count, ordering: .relaxed)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        // The parent shares the pipe, and some parents make it non-blocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1000)
      } else if errno != EINTR {
        fault.store(errno, ordering: .relaxed)
        onBroken()
        return
      }
    }
  }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
