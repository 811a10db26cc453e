/// Appends the text as a JSON string with its quotation marks (RFC 8259 §7).
///
/// Escapes only what must be escaped: the quotation mark, the backslash and the controls below U+0020. U+007F, U+2028 and U+2029 stay raw.
package func appendJSONString(_ string: String, to output: inout [UInt8]) {
  var string = string
  string.withUTF8 { append($0, to: &output) }
}

private func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\""))
  for start in stride(from: 0, to: bytes.count, by: pieceLength) {
    let piece = UnsafeBufferPointer(rebasing: bytes[start..<min(start + pieceLength, bytes.count)])
    if JSONText.isPlain(piece) {
      output.append(contentsOf: piece)
      continue
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceLength * longestEscape) { room in
      var count = 0
      func put(_ byte: UInt8) {
        room[count] = byte
        count += 1
      }
      for byte in piece {
        let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        if isPlain { put(byte) } else { putEscape(of: byte, put) }
      }
      output.append(contentsOf: room[..<count])
    }
  }
  output.append(UInt8(ascii: "\""))
}

/// In bytes. A piece with something to escape is written on the stack, which takes up to 1 KiB for this, and then appended at once.
private let pieceLength = 128
/// In bytes: `\u001f`.
private let longestEscape = 6

/// Puts a character's escape, in the short form if there is one.
private func putEscape(of byte: UInt8, _ put: (UInt8) -> Void) {
  put(UInt8(ascii: "\\"))
  switch byte {
  case 0x08: put(UInt8(ascii: "b"))
  case 0x09: put(UInt8(ascii: "t"))
  case 0x0A: put(UInt8(ascii: "n"))
  case 0x0C: put(UInt8(ascii: "f"))
  case 0x0D: put(UInt8(ascii: "r"))
  case 0x20...: put(byte)
  default:
    let digits: StaticString = "0123456789abcdef"
    for byte in [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")] { put(byte) }
    put(digits.utf8Start[Int(byte >> 4)])
    put(digits.utf8Start[Int(byte & 15)])
  }
}

/// Parses strings (RFC 8259 §7) and their escapes.
extension JSONText {
  /// Reads the string whose quotation mark is next. Returns whether it has escapes.
  mutating func readString() throws(JSON.Scan.Reason) -> Bool {
    var position = next + 1
    var isEscaped = false
    while true {
      while end - position >= 8 {
        let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self).littleEndian
        highBits |= word
        let stops = Self.stops(in: word)
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
      case 0: throw .nul
      case ..<0x20: throw .notJSON
      default:
        highBits |= UInt64(position.pointee)
        position += 1
      }
    }
  }

  /// Whether a JSON string can have these bytes as they are.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while bytes.count - position >= 8 {
      if stops(in: UnsafeRawPointer(bytes.baseAddress! + position).loadUnaligned(as: UInt64.self)) != 0 { return false }
      position += 8
    }
    return bytes[position...].allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  /// Returns a word with the high bit set for each byte that isn't plain: quotation mark, backslash or control.
  ///
  /// A term may also mark a byte above a correctly marked one, but never below. Only the lowest mark is reliable.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotation = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let marks = (quotation &- ones) & ~quotation | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word
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

extension String {
  /// The text without characters that move the cursor, end a line or change the reading order. These are the controls (C0, DEL, C1), line and
  /// paragraph separators, and the bidirectional controls of UAX #9. Messages and log lines pass text from servers, and names, through this.
  package var plain: String {
    // Most texts are plain already.
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isHidden }))
  }

  /// The same with the line ends and tabs.
  package var plainLines: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { !$0.isHidden || $0 == "\n" || $0 == "\t" }))
  }

  /// Returns as many whole scalars as fit into that many bytes.
  package func prefix(ofBytes limit: Int) -> String {
    var bytes = 0
    return String(
      String.UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          bytes += UTF8.width(scalar)
          return bytes <= limit
        }))
  }
}

extension Unicode.Scalar {
  /// Whether the character is invisible but changes how the text around it looks.
  package var isHidden: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Returns the value of an ASCII hexadecimal digit in either case.
package func hexDigitValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

package func isASCIILetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

package func isASCIIDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

package func isASCIILetterOrDigit(_ byte: UInt8) -> Bool { isASCIILetter(byte) || isASCIIDigit(byte) }

/// Whether the byte may be part of a token, such as a method or a header's name (RFC 9110, 5.6.2).
package func isTokenByte(_ byte: UInt8) -> Bool { isASCIILetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }

/// Returns whether the bytes are UTF-8 without NUL (RFC 3629: no overlong form, no surrogate, nothing beyond U+10FFFF).
///
/// Such a response body is sent as a string, any other as base64. NUL is excluded since many JSON readers end their strings at it.
package func isCleanUTF8(_ bytes: [UInt8]) -> Bool { !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil }
