import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the listener's thread is told by others: answers that are ready, and that it shall close.
final class LoopbackMailbox: Sendable {
  struct Answer {
    let connection: UInt64
    let bytes: [UInt8]
    let hasPage: Bool
  }

  struct Contents {
    var isClosing = false
    /// When what is still open is to be dropped, in milliseconds of the monotonic clock.
    var dropsAt: UInt64?
    /// When the listening ends by itself, in milliseconds of the monotonic clock.
    var lingersUntil: UInt64?
    /// Whether it ends as soon as a page was delivered.
    var endsWithPage = false
    /// When waiting for the answers under way is over, in milliseconds of the monotonic clock.
    var settlesAt: UInt64?
    var answers: [Answer] = []
    fileprivate var settling: [CheckedContinuation<Void, Never>] = []
    fileprivate var hasEnded = false
    fileprivate var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let contents = Mutex(Contents())
  /// A byte in this pipe ends the thread's poll.
  let wakeUp: Int32
  private let waker: Int32
  /// Ends when the thread has closed the listening sockets: nothing is ever written, every reader sees the end.
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

  func post(_ answer: Answer) {
    contents.withLock { $0.answers.append(answer) }
    wake()
  }

  /// Returns when the listening sockets are closed; the thread never waits for anything but its poll, so that is at once.
  func close() {
    contents.withLock { $0.isClosing = true }
    wake()
    var byte: UInt8 = 0
    while read(closed, &byte, 1) < 0 && errno == EINTR {}
  }

  /// Has the listening end by itself.
  func linger(until: UInt64, endsWithPage: Bool) {
    contents.withLock { ($0.lingersUntil, $0.endsWithPage) = (until, endsWithPage) }
    wake()
  }

  /// Waits until no answer is under way, or until `deadline`.
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

  /// No answer is under way, or the time for it is over; for the thread.
  func hasSettled() {
    let waiters = contents.withLock { contents in
      contents.settlesAt = nil
      defer { contents.settling = [] }
      return contents.settling
    }
    waiters.forEach { $0.resume() }
  }

  /// Waits for the thread's end, which comes at `dropsAt` at the latest.
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

  /// What is to be done; for the thread.
  func take() -> Contents {
    var byte: UInt8 = 0
    while read(wakeUp, &byte, 1) > 0 {}
    return contents.withLock { contents in
      defer { contents.answers = [] }
      return contents
    }
  }

  /// The listening sockets are closed; for the thread, once.
  func socketsAreClosed() { _ = Self.closeDescriptor(closer) }

  /// The thread is at its end.
  func hasEnded() {
    let waiters = contents.withLock { contents in
      contents.hasEnded = true
      defer { (contents.waiters, contents.settling) = ([], []) }
      return contents.waiters + contents.settling
    }
    waiters.forEach { $0.resume() }
  }

  /// A full pipe wakes the thread as well.
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
