import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The one writer of the stream: every frame whole, in one write, in order.
///
/// The reading thread writes for itself, which costs no change of threads; tasks hand their frames over, because a client that does not read must
/// never hold up the threads that tasks share.
package final class Output: Sendable {
  private let descriptor: Int32
  /// Whether it is a pipe or a socket. A terminal that is stopped takes less than it says, and a file is always ready and may be slow.
  private let tellsRoom: Bool
  private let queue = DispatchQueue(label: "output")
  private let framing: Mutex<Framing>
  private let pinned: Framing?
  private let backlog = Atomic<Int>(0)
  /// Bytes written so far.
  private let written = Atomic<Int>(0)
  private let gathered = Mutex(Gathered())
  /// Held while a frame is written.
  private let writing = Mutex(())
  /// 256 KiB in one write: what is shorter goes out whole, and of what is longer one can tell how far the reader has come.
  private static let pieceLimit = 256 << 10
  /// Tenths of a second in which a reader has to take something, once nobody waits for it any longer.
  private static let patience = 20
  /// 64 KiB fill a pipe; gathering more saves nothing.
  private static let gatherLimit = 64 << 10
  /// Frames of the reader that wait for `release`; the room is used again, because most reads bring as much as the one before.
  private struct Gathered {
    var isOpen = false
    var frames: [UInt8] = []

    mutating func take() -> [UInt8] {
      defer { frames = [] }
      return frames
    }
  }

  /// The code that a write failed with; 0 while none has.
  private let fault = Atomic<Int32>(0)
  private let onBroken: @Sendable () -> Void

  /// Why nothing can be written any more, where it is not that nobody reads: then an answer was lost that somebody may wait for.
  package var lossReason: String? {
    let code = fault.load(ordering: .relaxed)
    return code == 0 || code == EPIPE ? nil : String(cString: strerror(code)).lowercased()
  }

  /// `onBroken` is told once when nothing can be written any more, most often because nobody reads (EPIPE).
  package init(descriptor: Int32, pinned: Framing?, onBroken: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    var status = stat()
    tellsRoom = fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    self.pinned = pinned
    self.onBroken = onBroken
    framing = Mutex(pinned ?? .lines)
  }

  /// Answers use the framing of the last message read.
  package func follow(_ read: Framing) {
    if pinned == nil { framing.withLock { $0 = read } }
  }

  /// Bytes handed over and not yet written; whoever sends much looks here first and waits.
  package var pendingBytes: Int { backlog.load(ordering: .relaxed) }

  package func send(_ message: consuming [UInt8], fromReader: Bool = false) {
    let frame = framing.withLock { $0 }.frame(message)
    if fromReader {
      let ready = gathered.withLock { gathered -> [UInt8]? in
        guard gathered.isOpen else { return frame }
        gathered.frames.append(contentsOf: frame)
        return gathered.frames.count >= Self.gatherLimit ? gathered.take() : nil
      }
      if let ready { writeNow(ready) }
    } else if !writeAtOnce(frame) {
      backlog.add(frame.count, ordering: .relaxed)
      queue.async {
        self.write(frame)
        self.backlog.subtract(frame.count, ordering: .relaxed)
      }
    }
  }

  /// Writes a task's short frame if that can't block; false if other frames go first or the client doesn't read.
  ///
  /// A pipe or a socket that is ready takes PIPE_BUF bytes. Handing every frame over costs a change of threads: with it a call had 10 context switches,
  /// without it 7.
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

  /// One message in pieces. A task's go out one after another, so that what is shared with other messages is never copied.
  package func send(pieces: consuming [[UInt8]], fromReader: Bool = false) {
    guard pieces.count > 1, !fromReader else {
      // Taken out of the array, so that a body of megabytes is framed where it stands.
      var pieces = pieces
      let last = pieces.popLast() ?? []
      return send(pieces.isEmpty ? last : Array(pieces.joined()) + last, fromReader: fromReader)
    }
    let frame = framing.withLock { $0 }.frame(pieces: pieces)
    let count = frame.reduce(0) { $0 + $1.count }
    backlog.add(count, ordering: .relaxed)
    queue.async {
      for piece in frame { self.write(piece) }
      self.backlog.subtract(count, ordering: .relaxed)
    }
  }

  /// From here to `release` the reader's answers wait, to go out in one write: a client that sends many requests at once is answered at once.
  package func gather() {
    gathered.withLock { $0.isOpen = true }
  }

  package func release() {
    var rest = gathered.withLock { gathered in
      gathered.isOpen = false
      return gathered.take()
    }
    guard !rest.isEmpty else { return }
    writeNow(rest)
    // One long answer shall not stay as memory.
    guard rest.capacity <= Self.gatherLimit * 2 else { return }
    rest.removeAll(keepingCapacity: true)
    gathered.withLock { if $0.frames.isEmpty { $0.frames = rest } }
  }

  /// Returns when everything sent so far has been written, what is being gathered included; or, from the time on when `isUrgent`, as soon as the
  /// reader has taken nothing for two seconds: a process that was told to end must not stay because nobody reads.
  package func flush(isUrgent: () -> Bool = { false }) {
    let rest = gathered.withLock { $0.take() }
    guard !rest.isEmpty || pendingBytes > 0 else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async {
      self.write(rest)
      done.signal()
    }
    var (before, looks) = (-1, 0)
    while done.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      let now = written.load(ordering: .relaxed)
      looks = isUrgent() && now == before ? looks + 1 : 0
      before = now
      if looks == Self.patience { return }
    }
  }

  /// For the reader, which goes on when its bytes are out.
  private func writeNow(_ frames: [UInt8]) {
    backlog.add(frames.count, ordering: .relaxed)
    queue.sync { write(frames) }
    backlog.subtract(frames.count, ordering: .relaxed)
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
        // The pipe is the parent's too, and some parents make it non-blocking.
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
