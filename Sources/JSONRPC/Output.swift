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
  private let queue = DispatchQueue(label: "output")
  private let framing: Mutex<Framing>
  private let pinned: Framing?
  private let backlog = Atomic<Int>(0)
  private let gathered = Mutex(Gathered())
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
      if let ready { queue.sync { write(ready) } }
    } else {
      backlog.add(frame.count, ordering: .relaxed)
      queue.async {
        self.write(frame)
        self.backlog.subtract(frame.count, ordering: .relaxed)
      }
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
    queue.sync { write(rest) }
    // One long answer shall not stay as memory.
    guard rest.capacity <= Self.gatherLimit * 2 else { return }
    rest.removeAll(keepingCapacity: true)
    gathered.withLock { if $0.frames.isEmpty { $0.frames = rest } }
  }

  /// Returns when everything sent so far has been written, what is being gathered included.
  package func flush() {
    let rest = gathered.withLock { $0.take() }
    queue.sync { if !rest.isEmpty { write(rest) } }
  }

  private func write(_ frame: [UInt8]) {
    guard fault.load(ordering: .relaxed) == 0 else { return }
    var rest = frame[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
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
