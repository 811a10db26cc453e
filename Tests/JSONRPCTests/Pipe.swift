import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pipe(2) that a separate thread reads, so that large writes never block.
final class Pipe: Sendable {
  let writeEnd: Int32
  private let readEnd: Int32
  private let bytes = Mutex<[UInt8]>([])
  private let ended = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "pipe")

  /// With `reads` false, the pipe is not read before `startReading`.
  init(reads: Bool = true) {
    // A write to a pipe without a reader must return EPIPE, as in the program.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe")
    readEnd = ends[0]
    writeEnd = ends[1]
    if reads { startReading() }
  }

  func startReading() {
    queue.async { [self] in
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(readEnd, &block, block.count)
        guard count > 0 else { break }
        bytes.withLock { $0.append(contentsOf: block[..<count]) }
      }
      ended.signal()
    }
  }

  func closeReadEnd() { close(readEnd) }

  var soFar: [UInt8] { bytes.withLock { $0 } }

  /// Closes the write end and returns everything that was written. It blocks, so call it through `blocking`.
  func finish() -> [UInt8] {
    close(writeEnd)
    ended.wait()
    close(readEnd)
    return soFar
  }
}

/// Runs blocking work on a separate thread. Swift's task threads are few, and the awaited work needs them.
func blocking<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "blocking").async { continuation.resume(returning: work()) }
  }
}
