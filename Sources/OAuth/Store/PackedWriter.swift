/// Writes numbers and texts in the compact form that `PackedReader` reads.
struct PackedWriter {
  /// The length that marks a missing text or list.
  static let missing = UInt32.max

  private(set) var bytes: [UInt8] = []

  mutating func add(_ byte: UInt8) { bytes.append(byte) }
  mutating func add(_ length: UInt32) { withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) } }
  mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

  mutating func add(_ text: String?) {
    guard var text else { return add(Self.missing) }
    text.withUTF8 { utf8 in
      add(UInt32(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  mutating func add(_ texts: [String]?) {
    guard let texts else { return add(Self.missing) }
    add(UInt32(texts.count))
    for text in texts { add(text) }
  }
}
