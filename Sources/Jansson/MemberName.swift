/// One unescaped member name. Its memory must outlive it.
struct MemberName: Hashable {
  private let start: UnsafePointer<UInt8>
  private let count: Int
  /// The first bytes (up to 8) mixed with the length. Names with different words are different.
  private let word: UInt64

  /// `isWordReadable` says whether 8 bytes can be read from `start`, even for a shorter name.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>, count: Int, isWordReadable: Bool) {
    self.start = start
    self.count = count
    var word: UInt64 = 0
    if isWordReadable {
      word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
      if count < 8 { word &= (1 << UInt64(count * 8)) &- 1 }
    } else {
      for index in 0..<min(count, 8) { word |= UInt64(start[index]) << UInt64(index * 8) }
    }
    if count > 8 {
      // The last bytes distinguish `created_at` from `created_by`.
      word ^= UnsafeRawPointer(start + count - 8).loadUnaligned(as: UInt64.self).littleEndian &* 0x9E37_79B9_7F4A_7C15
    }
    self.word = word
  }

  @inline(__always)
  package static func == (left: Self, right: Self) -> Bool {
    guard left.word == right.word, left.count == right.count else { return false }
    return left.bytes.elementsEqual(right.bytes)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }

  private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}
