/// Whether the bytes are UTF-8 (RFC 3629: no overlong form, no surrogate, nothing beyond U+10FFFF) without a NUL.
///
/// A response body is a string on the wire when this holds, else base64: many a JSON reader cuts its strings at a NUL.
package func isCleanUTF8(_ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBufferPointer { isCleanUTF8($0) }
}

package func isCleanUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard var position = bytes.baseAddress else { return true }
  let end = position + bytes.count
  let ones: UInt64 = 0x0101_0101_0101_0101
  while position < end {
    while end - position >= 8 {
      let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
      // Marks a byte with the high bit, or a NUL; marks above a NUL may be wrong, which the steps below don't mind.
      guard (word | (word &- ones) & ~word) & (ones &* 0x80) == 0 else { break }
      position += 8
    }
    guard position < end else { break }
    // The word's eight bytes (or the last few) one sequence at a time.
    let limit = end - position > 8 ? position + 8 : end
    while position < limit {
      let length = utf8SequenceLength(position, end: end)
      guard length > 0, position.pointee != 0 else { return false }
      position += length
    }
  }
  return true
}

/// The length in bytes of the UTF-8 sequence at `position`, which is before `end`; 0 where it is malformed or cut (RFC 3629 §4).
@inline(__always)
func utf8SequenceLength(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
  func isContinuation(_ index: Int) -> Bool { position[index] & 0xC0 == 0x80 }
  let available = end - position
  switch position[0] {
  case ..<0x80: return 1
  case 0xC2...0xDF: return available >= 2 && isContinuation(1) ? 2 : 0
  case 0xE0...0xEF:
    guard available >= 3, isContinuation(1), isContinuation(2) else { return 0 }
    let isOverlong = position[0] == 0xE0 && position[1] < 0xA0
    let isSurrogate = position[0] == 0xED && position[1] >= 0xA0
    return isOverlong || isSurrogate ? 0 : 3
  case 0xF0...0xF4:
    guard available >= 4, isContinuation(1), isContinuation(2), isContinuation(3) else { return 0 }
    let isOverlong = position[0] == 0xF0 && position[1] < 0x90
    let isBeyond = position[0] == 0xF4 && position[1] >= 0x90
    return isOverlong || isBeyond ? 0 : 4
  default: return 0
  }
}
