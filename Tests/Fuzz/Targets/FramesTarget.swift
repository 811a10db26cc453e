@testable import JSONRPC

/// Bytes to messages: the frames do not depend on the pieces, and a framed message comes back whole.
struct FramesTarget: FuzzTarget {
  static let name = "frames"

  func run(_ input: [UInt8]) {
    for pinned in [nil, Framing.lines, .headers] {
      let whole = Self.frames(input, pinned, pieces: [input.count])
      // The last sizes come from the input, so that libFuzzer finds the one that matters.
      for sizes in [[1], [3, 1], input.prefix(8).map { Int($0) + 1 }] {
        require(Self.frames(input, pinned, pieces: sizes) == whole, "the frames depend on the pieces \(sizes)")
      }
      for case .message(let message, let framing) in whole where pinned != .lines {
        require(
          Self.frames(Framing.headers.frame(message), pinned) == [.message(message, .headers)], "a framed message changes: \(framing)")
      }
    }
    checkLines(input)
    let small: [UInt8] = Array("{}".utf8)
    let framed = Framing.headers.frame(input) + Framing.headers.frame(small)
    require(
      Self.frames(framed) == [.message(input, .headers), .message(small, .headers)], "the body of a message decides where it ends")
  }

  /// Pinned to lines, each line is a message, whatever it contains.
  private func checkLines(_ input: [UInt8]) {
    var lines = input.split(separator: 10, omittingEmptySubsequences: false).map { $0.last == 13 ? $0.dropLast() : $0 }
    if lines[0].starts(with: [0xEF, 0xBB, 0xBF]) { lines[0] = lines[0].dropFirst(3) }
    let wanted = lines.filter { !$0.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    require(Self.frames(input, .lines) == wanted.map { .message(Array($0), .lines) }, "the frames are not the lines")
  }

  static func frames(_ input: [UInt8], _ pinned: Framing? = nil, pieces: [Int]? = nil) -> [FrameDecoder.Frame] {
    var decoder = FrameDecoder(pinned: pinned)
    var frames: [FrameDecoder.Frame] = []
    var (rest, index) = (input[...], 0)
    let sizes = pieces.flatMap { $0.isEmpty ? nil : $0 } ?? [max(1, input.count)]
    while !rest.isEmpty {
      let piece = rest.prefix(max(1, sizes[index % sizes.count]))
      piece.withUnsafeBytes { decoder.feed($0) }
      (rest, index) = (rest.dropFirst(piece.count), index + 1)
      while let frame = decoder.next() { frames.append(frame) }
    }
    while let frame = decoder.finish() { frames.append(frame) }
    return frames
  }
}
