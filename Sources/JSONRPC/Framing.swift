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
