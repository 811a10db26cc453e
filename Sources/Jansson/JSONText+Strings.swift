/// Parses strings (RFC 8259 §7) and their escapes.
extension JSONText {
  /// Reads the string whose quotation mark is next. Returns whether it has escapes.
  mutating func readString() throws(JSON.Scan.Reason) -> Bool {
    var position = next + 1
    var isEscaped = false
    while true {
      while end - position >= 8 {
        let stops = Self.stops(in: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self).littleEndian)
        if stops != 0 {
          position += stops.trailingZeroBitCount >> 3
          break
        }
        position += 8
      }
      guard position < end else { throw .notJSON }
      switch position.pointee {
      case UInt8(ascii: "\""):
        next = position + 1
        return isEscaped
      case UInt8(ascii: "\\"):
        isEscaped = true
        position = try readEscape(position)
      case 0x80...:
        repeat {
          let length = utf8SequenceLength(position, end: end)
          guard length > 0 else { throw .notUTF8 }
          position += length
        } while position < end && position.pointee >= 0x80
      case 0: throw .nul
      case ..<0x20: throw .notJSON
      default: position += 1
      }
    }
  }

  /// Returns a word with the high bit set for each byte that isn't plain: quotation mark, backslash, control or non-ASCII.
  ///
  /// A term may also mark a byte above a correctly marked one, but never below. Only the lowest mark is reliable.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotation = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let marks = (quotation &- ones) & ~quotation | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word | word
    return marks & (ones &* 0x80)
  }

  /// Reads the escape at `position` and returns the position after it. A surrogate pair is one escape.
  private mutating func readEscape(_ position: UnsafePointer<UInt8>) throws(JSON.Scan.Reason) -> UnsafePointer<UInt8> {
    guard end - position >= 2 else { throw .notJSON }
    switch position[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 2
    case UInt8(ascii: "u"): break
    default: throw .notJSON
    }
    guard let unit = Self.codeUnit(position, end: end) else { throw .notJSON }
    switch unit {
    case 0: note(.nul)
    case 0xD800..<0xDC00:
      if let low = Self.codeUnit(position + 6, end: end), 0xDC00..<0xE000 ~= low { return position + 12 }
      note(.loneSurrogate)
    case 0xDC00..<0xE000: note(.loneSurrogate)
    default: break
    }
    return position + 6
  }

  /// Returns the UTF-16 code unit of the `\uXXXX` at `position`, if there is one.
  static func codeUnit(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt32? {
    guard end - position >= 6, position[0] == UInt8(ascii: "\\"), position[1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = hexDigitValue(position[index]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

/// Returns the length in bytes of the UTF-8 sequence at `position`, which must be before `end`; 0 if it is malformed or cut off (RFC 3629 §4).
@inline(__always)
private func utf8SequenceLength(_ position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
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
