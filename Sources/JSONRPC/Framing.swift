/// How one message stands in the stream.
package enum Framing: String, Sendable, CaseIterable {
  /// One compact JSON text and a line feed.
  case lines
  /// `Content-Length: N`, a blank line and N bytes, as the Language Server Protocol has it.
  case headers

  /// The message as it goes out. This exact header spelling and nothing else in it is what every measured client accepts.
  package func frame(_ message: consuming [UInt8]) -> [UInt8] {
    switch self {
    case .lines:
      // In place: a message may be megabytes long.
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

  /// The same for a message in pieces, none of which is copied.
  func frame(pieces: [[UInt8]]) -> [[UInt8]] {
    switch self {
    case .lines: pieces + [[UInt8(ascii: "\n")]]
    case .headers: [Array("Content-Length: \(pieces.reduce(0) { $0 + $1.count })\r\n\r\n".utf8)] + pieces
    }
  }
}
