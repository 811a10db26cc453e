import JSONRPC
import Testing

@Suite struct FrameLimitTests {
  private let limit = FrameDecoder.messageLimit

  /// Returns `count` bytes of one line.
  private func line(_ count: Int) -> [UInt8] { Array("{:".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: count - 2) }

  /// Returns the frames in short form, with the size in place of a long message.
  private func found(_ stream: [UInt8], pieces: Int? = nil) -> [String] {
    FrameDecoder.frames(in: stream, pieces: pieces).map { frame in
      if case .message(let bytes, let framing) = frame, bytes.count > 100 { return "\(framing.rawValue.prefix(1)):\(bytes.count)" }
      return frame.short
    }
  }

  @Test func theLimitIs16MiB() { #expect(limit == 16 * 1024 * 1024) }

  // The last size is chosen so that a carriage return after a line of the limit ends a piece.
  @Test(arguments: [nil, 4096, 172_961])
  func aLineOfTheLimitIsTakenAndALongerOneIsNot(size: Int?) {
    for end in ["\n", "\r\n"] {
      let behind = Array((end + "{1}\n" + framed("{2}")).utf8)
      #expect(found(line(limit) + behind, pieces: size) == ["l:\(limit)", "l:{1}", "h:{2}"])
      #expect(found(line(limit + 1) + behind, pieces: size) == ["l!-32600", "l:{1}", "h:{2}"])
      #expect(found(line(limit + 100_000) + behind, pieces: size) == ["l!-32600", "l:{1}", "h:{2}"])
    }
  }

  @Test(arguments: [nil, 4096])
  func theLastLineHasTheSameLimit(size: Int?) {
    #expect(found(line(limit), pieces: size) == ["l:\(limit)"])
    #expect(found(line(limit + 1), pieces: size) == ["l!-32600"])
    #expect(found(line(limit + 100_000), pieces: size) == ["l!-32600"])
  }

  @Test(arguments: [nil, 4096])
  func aBodyOfTheLimitIsTakenAndALongerOneIsNot(size: Int?) {
    func stream(_ count: Int) -> [UInt8] { Framing.headers.frame(line(count)) + Array((framed("{1}") + "{2}\n").utf8) }
    #expect(found(stream(limit), pieces: size) == ["h:\(limit)", "h:{1}", "l:{2}"])
    #expect(found(stream(limit + 1), pieces: size) == ["h!-32600", "h:{1}", "l:{2}"])
  }

  @Test func aBodyThatIsTooLongIsRejectedBeforeItArrives() {
    var decoder = FrameDecoder()
    decoder.feed("Content-Length: \(limit + 1)\r\n\r\n".utf8)
    #expect(decoder.next()?.short == "h!-32600")
    #expect(decoder.next() == nil)
    #expect(decoder.finish() == nil)
  }

  @Test func anEndlessLineIsReportedOnce() {
    var decoder = FrameDecoder()
    var frames: [String] = []
    let piece = line(1 << 20)
    for _ in 0..<48 {
      decoder.feed(piece)
      while let frame = decoder.next() { frames.append(frame.short) }
    }
    #expect(frames == ["l!-32600"])
    #expect(decoder.finish() == nil)
  }

  @Test func manyMessagesInOnePieceAreAllFound() {
    let stream = Array(String(repeating: "{1}\n" + framed("{2}"), count: 20_000).utf8)
    let frames = FrameDecoder.frames(in: stream)
    #expect(frames.count == 40_000)
    #expect(frames.allSatisfy { $0.short == "l:{1}" || $0.short == "h:{2}" })
  }
}
