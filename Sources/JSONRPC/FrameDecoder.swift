import Jansson
import Platform

/// Splits bytes into messages. Each message may use another framing. Unreadable input is reported and skipped, and decoding continues after it.
package struct FrameDecoder {
  /// One item of the stream.
  package enum Frame: Equatable {
    case message([UInt8], Framing)
    case fault(RPCError, Framing)
  }

  /// 16 MiB: larger than any editor's message, and a limit on the memory that a broken client can use.
  package static let messageLimit = 16 << 20
  /// 8 KiB. A header block has two short lines, so a longer one is invalid.
  private static let headerLimit = 8 << 10

  private enum State {
    case start
    case header(HeaderBlock)
    case body(length: Int)
    /// Skips the rest of an oversized message: that many bytes, or up to the end of the line.
    case skippingBytes(Int)
    case skippingLine
  }

  private let pinned: Framing?
  private var buffer: [UInt8] = []
  /// The start of the unread bytes, and how much of them has been searched for a line feed. No byte is searched twice.
  private var begin = 0
  private var searched = 0
  private var state = State.start
  private var isFirst = true

  package init(pinned: Framing? = nil) { self.pinned = pinned }

  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    if begin == buffer.count {
      // Large buffers are released, so one long message does not keep its memory.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 17)
      (begin, searched) = (0, searched - begin)
    } else if begin > 1 << 16, begin > buffer.count / 2 {
      buffer.removeFirst(begin)
      (begin, searched) = (0, searched - begin)
    }
    buffer.append(contentsOf: bytes)
  }

  /// Returns the next message or fault in the bytes fed so far, or nil if it needs more.
  package mutating func next() -> Frame? {
    while true {
      switch state {
      case .skippingBytes(let count):
        let here = min(count, buffer.count - begin)
        go(to: begin + here)
        guard here == count else {
          state = .skippingBytes(count - here)
          return nil
        }
        state = .start
      case .skippingLine:
        guard takeLine() != nil else {
          go(to: buffer.count)
          return nil
        }
        state = .start
      case .body(let length):
        guard buffer.count - begin >= length else { return nil }
        let body = Array(buffer[begin..<begin + length])
        go(to: begin + length)
        state = .start
        return .message(body, .headers)
      case .header(var block):
        guard let line = takeLine() else {
          guard buffer.count - begin + block.size > Self.headerLimit else { return nil }
          return abandon("a header block is longer than \(Self.headerLimit) bytes", .skippingLine)
        }
        if let frame = read(line, into: &block) { return frame }
      case .start:
        guard let line = takeLine() else {
          // A byte order mark before the message and a carriage return after it don't count.
          guard buffer.count - begin > Self.messageLimit + 4 else { return nil }
          state = .skippingLine
          return .fault(Self.tooLong, pinned ?? .lines)
        }
        if let frame = begin(with: line) { return frame }
      }
    }
  }

  /// Returns the rest at the end of input. A last line without a line feed is a message, half a frame is a fault.
  package mutating func finish() -> Frame? {
    if let frame = next() { return frame }
    defer {
      go(to: buffer.count)
      state = .start
    }
    if case .start = state, begin < buffer.count, let frame = begin(with: trimmed(begin..<buffer.count)) { return frame }
    switch state {
    case .header, .body: return .fault(.parseError(at: buffer.count - begin, "ended in the middle of a message"), .headers)
    default: return nil
    }
  }

  private static let tooLong = RPCError.invalidRequest("the message is longer than \(messageLimit) bytes")

  private mutating func begin(with line: Range<Int>) -> Frame? {
    var line = line
    if isFirst {
      isFirst = false
      // A byte order mark is invalid JSON, but some shells write one before the first line.
      if buffer[line].starts(with: [0xEF, 0xBB, 0xBF]) { line = line.lowerBound + 3..<line.upperBound }
    }
    guard line.contains(where: { buffer[$0] != UInt8(ascii: " ") && buffer[$0] != UInt8(ascii: "\t") }) else { return nil }
    let isObject = buffer[line.lowerBound] == UInt8(ascii: "{")
    if pinned != .lines, !isObject, HeaderBlock.field(in: buffer[line]) != nil {
      var block = HeaderBlock()
      return read(line, into: &block)
    }
    var framing = pinned ?? .lines
    if pinned != .lines, isASCIIDigit(buffer[line.upperBound - 1]), let header = HeaderBlock.lengthField(atEndOf: buffer[line]) {
      // The rest of a message whose header gave a wrong length. The next header restores the framing.
      line = line.lowerBound..<header
      go(to: header)
      framing = .headers
      if line.allSatisfy({ buffer[$0] == UInt8(ascii: " ") || buffer[$0] == UInt8(ascii: "\t") }) { return nil }
    }
    if line.count > Self.messageLimit { return .fault(Self.tooLong, framing) }
    return .message(Array(buffer[line]), framing)
  }

  private mutating func read(_ line: Range<Int>, into block: inout HeaderBlock) -> Frame? {
    block.size += line.count + 2
    if block.size > Self.headerLimit { return abandon("a header block is longer than \(Self.headerLimit) bytes", .start) }
    guard line.isEmpty else {
      guard let field = HeaderBlock.field(in: buffer[line]) else {
        // This line may be a message, so it is read again from its start.
        let fault = abandon("a header block has a line that is not a header", .start)
        go(to: line.lowerBound)
        return fault
      }
      block.add(field)
      state = .header(block)
      return nil
    }
    state = .start
    do throws(RPCError) {
      let length = try block.length
      let isTooLong = length > Self.messageLimit
      state = isTooLong || !block.isUTF8 ? .skippingBytes(length) : .body(length: length)
      if isTooLong { throw Self.tooLong }
      if !block.isUTF8 { throw .invalidRequest("a content-type names a charset other than UTF-8") }
      return nil
    } catch {
      return .fault(error, .headers)
    }
  }

  /// Continues with the byte at this index. What is before it has been searched.
  private mutating func go(to index: Int) { (begin, searched) = (index, index) }

  private mutating func abandon(_ message: String, _ next: State) -> Frame {
    state = next
    return .fault(.invalidRequest(message), .headers)
  }

  /// Returns the next line without its end (LF or CR LF).
  private mutating func takeLine() -> Range<Int>? {
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard searched < bytes.count, let base = bytes.baseAddress else { return nil }
      guard let hit = memchr(base + searched, 10, bytes.count - searched) else { return nil }
      return UnsafeRawPointer(hit) - base
    }
    guard let end = found else {
      searched = buffer.count
      return nil
    }
    let line = trimmed(begin..<end)
    go(to: end + 1)
    return line
  }

  private func trimmed(_ line: Range<Int>) -> Range<Int> {
    if let last = line.last, buffer[last] == UInt8(ascii: "\r") { return line.lowerBound..<last }
    return line
  }
}

/// How a message is delimited in the stream.
package enum Framing: String, Sendable, CaseIterable {
  /// One compact JSON text and a line feed.
  case lines
  /// `Content-Length: N`, a blank line and N bytes, as in the Language Server Protocol.
  case headers

  /// Returns the framed message. All tested clients accept exactly this spelling of the header without further fields.
  package func frame(_ message: consuming [UInt8]) -> [UInt8] {
    switch self {
    case .lines:
      // In place, because a message may have megabytes.
      message.append(UInt8(ascii: "\n"))
      return message
    case .headers:
      var frame: [UInt8] = []
      frame.reserveCapacity(message.count + 40)
      frame.append(contentsOf: "Content-Length: \(message.count)\r\n\r\n".utf8)
      frame.append(contentsOf: message)
      return frame
    }
  }
}
