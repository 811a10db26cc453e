import Synchronization

/// Continues an exchange whose body had no bytes or whose relay had no room. Another thread calls it, so no thread has to ask again and again.
package final class ExchangeSignal: Sendable {
  private let wakeExchange = Mutex<(@Sendable () -> Void)?>(nil)

  package init() {}

  /// Continues the exchange, if one is running.
  package func wake() { wakeExchange.withLock { $0 }?() }

  /// Called by the client when an exchange begins, and with nil when it has ended.
  package func connect(_ wake: (@Sendable () -> Void)?) { wakeExchange.withLock { $0 = wake } }
}

extension HTTPRequest {
  /// A request's body that another thread supplies. The client's thread reads it, so the functions must not block.
  package struct Supply: Sendable {
    package enum Piece: Equatable, Sendable {
      /// So many bytes were copied.
      case bytes(Int)
      case end
      /// There are none yet. The request's `signal` says when there are.
      case later
      /// There will be no more, and the body is not whole.
      case failed
    }

    /// In bytes. Without it, the body goes out in chunks.
    package let length: Int?
    package let read: @Sendable (UnsafeMutableRawBufferPointer) -> Piece
    /// Continues from the first byte. Returns false if the bytes that were read are no longer held.
    package let rewind: @Sendable () -> Bool

    package init(
      length: Int?, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Piece, rewind: @escaping @Sendable () -> Bool
    ) {
      (self.length, self.read, self.rewind) = (length, read, rewind)
    }
  }

  /// Takes a response of any status as it comes, without decoding. The client's thread calls it, so the functions must not block.
  package struct Relay: Sendable {
    /// Called with the status and the headers before the first piece. A withheld response is not begun: the caller passes it on, or sends again.
    package let begin: @Sendable (Int, [HTTPHeader]) -> Void
    /// Returns false to get the same piece again after the request's `signal`.
    package let take: @Sendable (UnsafeRawBufferPointer) -> Bool
    /// Seconds to the first byte of the answer, from the last byte of the request's body on.
    package static let answerTime = 600
    /// Seconds without a byte of the answer's body. Streams of events send something more often.
    package static let silence = 3600

    package init(begin: @escaping @Sendable (Int, [HTTPHeader]) -> Void, take: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool) {
      (self.begin, self.take) = (begin, take)
    }
  }
}
