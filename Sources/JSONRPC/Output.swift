import Dispatch
import Jansson
import Platform
import Synchronization

/// The only writer of the stream. It writes frames whole and in order.
///
/// The reading thread writes directly, which avoids a thread switch, and gathers its answers to what one `read` has returned.
/// Tasks hand their frames over, because a slow client must never block the threads that tasks share.
package final class Output: Sendable {
  private struct State {
    var framing: Framing
    /// Bytes that are not yet written.
    var backlog = 0
    /// The bodies that calls receive into memory, the one with the oldest first byte first, and the bytes of all.
    var bodies: [ObjectIdentifier] = []
    var bodyBytes = 0
    /// The reading thread's frames that are not yet written. One write for all of them saves a system call for each.
    var gathered: [UInt8] = []
    /// The errno of a failed write, or 0.
    var fault: Int32 = 0
    var onBroken: (@Sendable () -> Void)?

    mutating func takeGathered() -> [UInt8] { exchange(&gathered, with: []) }
  }

  private let descriptor: Int32
  /// Whether it is a pipe or a socket. A stopped terminal accepts less than it reports, and a file always reports ready but may be slow.
  private let pollIsReliable: Bool
  private let isTerminal: Bool
  private let queue = DispatchQueue(label: "output")
  private let pinned: Framing?
  private let state: Mutex<State>
  /// Held while a frame is written. Its value is whether to try writes that do not wait: true until the system has refused one.
  private let writing = Mutex(true)
  /// 256 KiB. The reading thread gathers no more.
  private static let gatheredLimit = 256 << 10
  /// 64 MiB. With more, the process takes no input, and its API calls take no more of their bodies, which count as well.
  private static let limit = 64 << 20
  /// 16 KiB, a quarter of a pipe. The pieces show whether a slow reader still takes something.
  private static let pieceLimit = 16 << 10
  /// Checks, 100 ms apart. At an urgent end, the process exits if the reader takes nothing during so many of them.
  package static let maximumIdleChecks = 20

  /// Why output failed. nil without a failure, or if the reader closed the stream (EPIPE). An answer that the client expects may be lost.
  package var lossReason: String? {
    let code = state.withLock { $0.fault }
    return code == 0 || code == EPIPE ? nil : Descriptors.reason(code)
  }

  package init(descriptor: Int32, pinned: Framing?) {
    self.descriptor = descriptor
    var status = stat()
    pollIsReliable = fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    isTerminal = isatty(descriptor) == 1
    self.pinned = pinned
    state = Mutex(State(framing: pinned ?? .lines))
  }

  /// The output of a command, which prints on its own.
  package static var unused: Output { Output(descriptor: -1, pinned: .lines) }

  /// Calls `work` once when writing fails, most often because the reader has closed the stream (EPIPE). To be called before the first frame.
  package func onBroken(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.onBroken = work } }

  /// Sets the framing for answers to that of the last message read.
  package func follow(_ read: Framing) { if pinned == nil { state.withLock { $0.framing = read } } }

  /// The number of bytes that are not yet written. Senders of large data check it first and wait.
  package var pendingBytes: Int { state.withLock { $0.backlog } }
  package var isFull: Bool { pendingBytes > Self.limit }

  /// Returns at once unless the output is full, else when the client has read all of it. Only for the reading thread.
  package func waitForReader() {
    guard isFull else { return }
    queue.sync {}
  }

  /// With `fromReader`, the frame is written by the next `writeGathered`, or before the next frame of a task.
  package func send(_ message: consuming [UInt8], fromReader: Bool = false) {
    // Servers choose some of the text. It must not control a terminal.
    // No conditional expression: that copies a message of megabytes.
    if isTerminal { message = IndentedJSON.escaped(message) }
    let frame = state.withLock { $0.framing }.frame(message)
    if fromReader { return gather(frame) }
    releaseGathered()
    if !writeAtOnce(frame) {
      state.withLock { $0.backlog += frame.count }
      queue.async { self.write(frame) }
    }
  }

  /// Writes what the client takes of a task's short frame now, and hands the rest to the queue. Returns false if other frames are first.
  ///
  /// Handing every frame over costs a thread switch. A write must not wait, because another process may have filled the pipe.
  private func writeAtOnce(_ frame: [UInt8]) -> Bool {
    guard pollIsReliable, frame.count <= Int(PIPE_BUF) else { return false }
    return writing.withLockIfAvailable { triesNow in
      guard pendingBytes == 0 else { return false }
      state.withLock { $0.backlog += frame.count }
      var taken = 0
      if triesNow {
        let count = frame.withUnsafeBytes { PosixFile.writeNow($0, to: descriptor) }
        triesNow = count >= 0 || errno == EAGAIN
        taken = max(0, count)
        state.withLock { $0.backlog -= taken }
      } else if isReady {
        writeLocked(frame)
        return true
      }
      let rest = Array(frame[taken...])
      if !rest.isEmpty { queue.async { self.write(rest) } }
      return true
    } ?? false
  }

  /// Whether the pipe or socket takes PIPE_BUF bytes now.
  private var isReady: Bool {
    var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&room, 1, 0) == 1 && room.revents == Int16(POLLOUT)
  }

  /// Returns when all output so far is written. While `isUrgent` is true, also returns if the reader takes nothing for two
  /// seconds, because the process must end without a reader.
  package func flush(checks maximum: Int = maximumIdleChecks, isUrgent: () -> Bool = { false }) {
    guard pendingBytes > 0 else { return }
    releaseGathered()
    let done = DispatchSemaphore(value: 0)
    // The reading thread writes in addition to the queue.
    queue.async { [self] in writing.withLock { _ in _ = done.signal() } }
    var (before, checks) = (Int.max, 0)
    while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      let now = pendingBytes
      checks = isUrgent() && now >= before ? checks + 1 : 0
      before = now
      if checks == maximum { return }
    }
  }

  /// Writes the gathered frames from the reading thread, which continues after its bytes are written.
  package func writeGathered() {
    guard !state.withLock({ $0.gathered.isEmpty }) else { return }
    let isWritten = writing.withLock { _ in
      // Only if no other frame is in the queue. A task's frame that comes now has to wait for the lock.
      guard let frames = state.withLock({ $0.gathered.count == $0.backlog ? $0.takeGathered() : nil }) else { return false }
      writeLocked(frames)
      return true
    }
    // They are taken in the queue. A task's frame that came in between would overtake them.
    if !isWritten { queue.sync { write(state.withLock { $0.takeGathered() }) } }
  }

  private func gather(_ frame: [UInt8]) {
    let count = state.withLock { state in
      state.backlog += frame.count
      if state.gathered.isEmpty { state.gathered = frame } else { state.gathered += frame }
      return state.gathered.count
    }
    if count >= Self.gatheredLimit { writeGathered() }
  }

  /// Hands the gathered frames over, before other frames that are newer.
  private func releaseGathered() {
    state.withLock { state in
      guard !state.gathered.isEmpty else { return }
      let frames = state.takeGathered()
      queue.async { self.write(frames) }
    }
  }

  private func write(_ frame: [UInt8]) { writing.withLock { _ in writeLocked(frame) } }

  private func writeLocked(_ frame: [UInt8]) {
    var (rest, code) = (frame[...], state.withLock { $0.fault })
    while !rest.isEmpty, code == 0 {
      let count = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, min($0.count, Self.pieceLimit)) }
      if count >= 0 {
        rest = rest.dropFirst(count)
        state.withLock { $0.backlog -= count }
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        // The parent shares the pipe, and some parents make it non-blocking.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1000)
      } else if errno != EINTR {
        code = errno
      }
    }
    guard code != 0 else { return }
    let onBroken = state.withLock { state in
      (state.backlog, state.fault) = (state.backlog - rest.count, code)
      return state.onBroken.take()
    }
    onBroken?()
  }
}

extension Output {
  /// A body that a call receives into memory for its answer.
  package final class Body: Sendable {
    private let output: Output
    private let bytes = Mutex(0)

    package init(_ output: Output) { self.output = output }

    /// Whether the body may grow to so many bytes. The oldest one always may once the client has read everything: no two wait for each other.
    package func mayHave(_ count: Int) -> Bool {
      bytes.withLock { bytes in
        output.state.withLock { [id = ObjectIdentifier(self)] state in
          let isNext = state.backlog == 0 && (state.bodies.first ?? id) == id
          // libcurl has read 16 KiB anyway.
          let others = count <= 16 << 10 ? 0 : state.bodyBytes - bytes
          guard isNext || state.backlog + others + count <= Output.limit else { return false }
          if count > 0, !state.bodies.contains(id) { state.bodies.append(id) }
          state.bodyBytes += count - bytes
          bytes = count
          return true
        }
      }
    }

    /// Leaves its place to the next one, while nothing more of it comes.
    package func giveWay() { output.state.withLock { [id = ObjectIdentifier(self)] in $0.bodies.removeAll { $0 == id } } }

    deinit {
      output.state.withLock { [id = ObjectIdentifier(self), bytes = bytes.withLock(\.self)] state in
        state.bodyBytes -= bytes
        state.bodies.removeAll { $0 == id }
      }
    }
  }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
