/// Returns whether the bytes are UTF-8 without NUL (RFC 3629: no overlong form, no surrogate, nothing beyond U+10FFFF).
///
/// Such a response body is sent as a string, any other as base64. NUL is excluded since many JSON readers end their strings at it.
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
      // Finds a byte with the high bit or a NUL. Marks above a NUL may be wrong, which is harmless: the steps below check each byte.
      guard (word | (word &- ones) & ~word) & (ones &* 0x80) == 0 else { break }
      position += 8
    }
    guard position < end else { break }
    // Checks the word's eight bytes, or the last few, one sequence at a time.
    let limit = end - position > 8 ? position + 8 : end
    while position < limit {
      let length = utf8SequenceLength(position, end: end)
      guard length > 0, position.pointee != 0 else { return false }
      position += length
    }
  }
  return true
}

/// Returns the length in bytes of the UTF-8 sequence at `position`, which must be before `end`; 0 if it is malformed or cut off (RFC 3629 §4).
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
