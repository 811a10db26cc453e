/// Reads what `PackedWriter` has written. Throws at the first value that is not whole.
///
/// Valid only while the memory is that it reads from.
struct PackedReader {
  struct Malformed: Error {}

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func byte() throws(Malformed) -> UInt8 { bytes[try take(1)] }

  mutating func length() throws(Malformed) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: try take(4), as: UInt32.self))
  }

  mutating func number() throws(Malformed) -> Int64 {
    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: try take(8), as: Int64.self))
  }

  mutating func optionalText() throws(Malformed) -> String? {
    let length = try length()
    guard length != PackedWriter.missing else { return nil }
    let start = try take(Int(length))
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = try optionalText() else { throw Malformed() }
    return text
  }

  mutating func optionalTexts() throws(Malformed) -> [String]? {
    let count = try length()
    guard count != PackedWriter.missing else { return nil }
    var texts: [String] = []
    for _ in 0..<count { texts.append(try text()) }
    return texts
  }

  mutating func texts() throws(Malformed) -> [String] {
    guard let texts = try optionalTexts() else { throw Malformed() }
    return texts
  }

  /// Returns where the next `count` bytes begin, and goes on behind them.
  private mutating func take(_ count: Int) throws(Malformed) -> Int {
    guard count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return position
  }
}
