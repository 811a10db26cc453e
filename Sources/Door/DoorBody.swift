import NIOCore
import OAuthCore
import Synchronization

/// A request's body on its way from the loop, which adds pieces, to the client's thread, which reads them.
///
/// A small body is held until the exchange ends, so that it can be sent again with another token.
package final class DoorBody: Sendable {
  /// Bytes that wait for the client's thread, above which the program has to wait, and below which it goes on.
  private static let (full, low) = (256 << 10, 64 << 10)
  /// In bytes, of a body that is held.
  static let heldLimit = 1 << 20

  private struct State {
    /// All bytes of a held body, else those that wait.
    var bytes = ByteBuffer()
    /// Where the next byte to read is; the beginning of `bytes` if the body is not held.
    var offset = 0
    var isHeld = true
    /// Whether any byte was dropped.
    var isCut = false
    var isWhole = false
    /// Bytes of a body of known length that are still to come. The parser says later that there are none.
    var left: Int?
    var hasFailed = false
    /// Whether the client's thread waits for bytes.
    var isAwaited = false
    /// Whether the program waits for room.
    var isFull = false

    var waiting: Int { bytes.readableBytes - offset }
  }

  private let state = Mutex(State())
  private let budget: Budget
  private let signal: ExchangeSignal
  /// Lets the program go on.
  private let resume: @Sendable () -> Void

  /// The memory for all held bodies.
  package final class Budget: Sendable {
    /// In bytes: enough for 16 bodies of the largest size, and more small ones than there are connections.
    private let left = Mutex(16 << 20)

    package init() {}

    fileprivate func take(_ count: Int) -> Bool {
      left.withLock { left in
        guard count <= left else { return false }
        left -= count
        return true
      }
    }

    fileprivate func giveBack(_ count: Int) { left.withLock { $0 += count } }
  }

  package init(_ budget: Budget, _ signal: ExchangeSignal, length: Int? = nil, resume: @escaping @Sendable () -> Void) {
    (self.budget, self.signal, self.resume) = (budget, signal, resume)
    state.withLock { $0.left = length }
  }

  deinit { state.withLock { if $0.isHeld { budget.giveBack($0.bytes.readableBytes) } } }

  package func supply(_ length: Int?) -> HTTPRequest.Supply {
    HTTPRequest.Supply(length: length, read: { [self] in read(into: $0) }, rewind: { [self] in rewind() })
  }

  /// Whether the program has sent all of it.
  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Adds a piece. Returns false if the program has to wait.
  func add(_ piece: ByteBuffer) -> Bool {
    change { state in
      var piece = piece
      if state.isHeld, state.bytes.readableBytes + piece.readableBytes > Self.heldLimit || !budget.take(piece.readableBytes) {
        budget.giveBack(state.bytes.readableBytes)
        (state.isHeld, state.isCut) = (false, state.offset > 0)
        state.bytes.moveReaderIndex(forwardBy: state.offset)
        state.offset = 0
      }
      state.left? -= piece.readableBytes
      if state.left == 0 { state.isWhole = true }
      state.bytes.writeBuffer(&piece)
      state.isFull = state.waiting >= Self.full
      return !state.isFull
    }
  }

  func finish() { change { $0.isWhole = true } }
  func fail() { change { $0.hasFailed = true } }

  /// Changes the state, and wakes the client's thread if that waits.
  private func change<T>(_ change: (inout State) -> T) -> T {
    let (result, wakes) = state.withLock { state in
      defer { state.isAwaited = false }
      return (change(&state), state.isAwaited)
    }
    if wakes { signal.wake() }
    return result
  }

  private func read(into room: UnsafeMutableRawBufferPointer) -> HTTPRequest.Supply.Piece {
    let (piece, hasRoom) = state.withLock { state -> (HTTPRequest.Supply.Piece, Bool) in
      let count = min(room.count, state.waiting)
      guard count > 0 else {
        state.isAwaited = !state.isWhole && !state.hasFailed
        return (state.hasFailed ? .failed : state.isWhole ? .end : .later, false)
      }
      state.bytes.withUnsafeReadableBytes {
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.offset..<state.offset + count]))
      }
      if state.isHeld {
        state.offset += count
      } else {
        state.bytes.moveReaderIndex(forwardBy: count)
        state.isCut = true
        if state.bytes.readerIndex >= Self.full || state.bytes.readableBytes == 0 { state.bytes.discardReadBytes() }
      }
      defer { if state.waiting <= Self.low { state.isFull = false } }
      return (.bytes(count), state.isFull && state.waiting <= Self.low)
    }
    if hasRoom { resume() }
    return piece
  }

  private func rewind() -> Bool {
    state.withLock { state in
      if state.isHeld { state.offset = 0 }
      return !state.isCut
    }
  }
}
