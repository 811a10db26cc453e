import Jansson
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Messages to the listener's thread: finished responses, and the order to close.
final class LoopbackMailbox: Sendable {
  struct Reply {
    let connection: UInt64
    let bytes: [UInt8]
    let hasPage: Bool
  }

  struct Contents {
    var isClosing = false
    /// When the remaining connections are dropped, in milliseconds of the monotonic clock.
    var dropsAt: UInt64?
    /// When the listener closes by itself, in milliseconds of the monotonic clock.
    var lingersUntil: UInt64?
    /// Whether it closes as soon as a page was delivered.
    var endsWithPage = false
    /// Until when to wait for the responses in progress, in milliseconds of the monotonic clock.
    var settlesAt: UInt64?
    var answers: [Reply] = []
    fileprivate var settling: [CheckedContinuation<Void, Never>] = []
    fileprivate var hasEnded = false
    fileprivate var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())
  /// The read end of a pipe. A byte in it wakes the thread from poll.
  let wakeUp: Int32
  private let waker: Int32
  /// A pipe that reaches its end when the thread has closed the listening sockets. No byte is written to it, so every reader sees the end.
  private let closed: Int32
  private let closer: Int32

  init() throws(LoopbackFailure) {
    var wake: [Int32] = [-1, -1]
    var close: [Int32] = [-1, -1]
    guard pipe(&wake) == 0 else { throw LoopbackSockets.reason("a pipe could not be made", errno) }
    guard pipe(&close) == 0 else {
      let failure = LoopbackSockets.reason("a pipe could not be made", errno)
      wake.forEach { _ = Self.closeDescriptor($0) }
      throw failure
    }
    wake.forEach(LoopbackSockets.prepare)
    close.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
    (wakeUp, waker, closed, closer) = (wake[0], wake[1], close[0], close[1])
  }

  deinit { [wakeUp, waker, closed].forEach { _ = Self.closeDescriptor($0) } }

  func post(_ answer: Reply) {
    contents.withLock { $0.answers.append(answer) }
    wake()
  }

  /// Closes the listener and waits for its sockets. The thread blocks only in poll, so this takes no time.
  func close() {
    contents.withLock { $0.isClosing = true }
    wake()
    var byte: UInt8 = 0
    while read(closed, &byte, 1) < 0 && errno == EINTR {}
  }

  /// Sets when the listener closes by itself.
  func linger(until: UInt64, endsWithPage: Bool) {
    contents.withLock { ($0.lingersUntil, $0.endsWithPage) = (until, endsWithPage) }
    wake()
  }

  /// Waits until no response is in progress, or until `deadline`.
  func settle(by deadline: UInt64) async {
    await withCheckedContinuation { continuation in
      let hasEnded = contents.withLock { contents in
        contents.settlesAt = min(contents.settlesAt ?? deadline, deadline)
        if !contents.hasEnded { contents.settling.append(continuation) }
        return contents.hasEnded
      }
      if hasEnded { continuation.resume() } else { wake() }
    }
  }

  /// Resumes the waiters of `settle`. Called by the thread when no response is in progress or the time has passed.
  func hasSettled() {
    let waiters = contents.withLock { contents in
      contents.settlesAt = nil
      defer { contents.settling = [] }
      return contents.settling
    }
    waiters.forEach { $0.resume() }
  }

  /// Waits until the thread ends, which happens at `dropsAt` at the latest.
  func end(dropsAt: UInt64) async {
    await withCheckedContinuation { continuation in
      let hasEnded = contents.withLock { contents in
        contents.dropsAt = min(contents.dropsAt ?? dropsAt, dropsAt)
        if !contents.hasEnded { contents.waiters.append(continuation) }
        return contents.hasEnded
      }
      if hasEnded { continuation.resume() } else { wake() }
    }
  }

  /// Returns the present orders and empties the list of answers. Called by the thread.
  func take() -> Contents {
    var byte: UInt8 = 0
    while read(wakeUp, &byte, 1) > 0 {}
    return contents.withLock { contents in
      defer { contents.answers = [] }
      return contents
    }
  }

  /// Reports that the listening sockets are closed. Called once, by the thread.
  func socketsAreClosed() { _ = Self.closeDescriptor(closer) }

  /// Reports that the thread has ended, and resumes all waiters.
  func hasEnded() {
    let waiters = contents.withLock { contents in
      contents.hasEnded = true
      defer { (contents.waiters, contents.settling) = ([], []) }
      return contents.waiters + contents.settling
    }
    waiters.forEach { $0.resume() }
  }

  /// Wakes the thread. If the pipe is full, it wakes anyway.
  private func wake() {
    var byte: UInt8 = 1
    _ = write(waker, &byte, 1)
  }

  private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }
}
