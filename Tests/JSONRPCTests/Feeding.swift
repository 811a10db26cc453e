import JSONRPC

extension FrameDecoder {
  mutating func feed(_ bytes: some Collection<UInt8>) {
    Array(bytes).withUnsafeBytes { feed($0) }
  }

  /// Returns all frames of a stream that is fed in pieces of `size` bytes; nil feeds it in one piece.
  static func frames(in stream: some Collection<UInt8>, pieces size: Int? = nil, pinned: Framing? = nil) -> [Frame] {
    var decoder = FrameDecoder(pinned: pinned)
    var frames: [Frame] = []
    var rest = Array(stream)[...]
    while !rest.isEmpty {
      decoder.feed(rest.prefix(size ?? rest.count))
      rest = rest.dropFirst(size ?? rest.count)
      while let frame = decoder.next() { frames.append(frame) }
    }
    while let frame = decoder.finish() { frames.append(frame) }
    return frames
  }

  /// Returns all frames in short form: `l:text` and `h:text` are messages in lines and behind headers, `l!code` and `h!code` are faults.
  static func found(in stream: String, pieces size: Int? = nil, pinned: Framing? = nil) -> [String] {
    frames(in: Array(stream.utf8), pieces: size, pinned: pinned).map(\.short)
  }
}

extension FrameDecoder.Frame {
  var short: String {
    switch self {
    case .message(let bytes, let framing): "\(framing.rawValue.prefix(1)):\(String(decoding: bytes, as: UTF8.self))"
    case .fault(let error, let framing): "\(framing.rawValue.prefix(1))!\(error.code)"
    }
  }
}

/// Returns the message behind a correct header.
func framed(_ message: String) -> String { "Content-Length: \(message.utf8.count)\r\n\r\n\(message)" }
