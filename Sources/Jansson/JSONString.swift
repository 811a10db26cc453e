/// Appends the UTF-8 bytes as a JSON string with its quotation marks (RFC 8259 §7).
///
/// Escapes only what must be escaped: the quotation mark, the backslash and the controls below U+0020. U+007F, U+2028 and U+2029 stay raw. The caller
/// has validated the bytes as UTF-8. They are copied in runs, because a response body may have megabytes.
package func appendJSONString(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
  let needed = output.count + bytes.count + 2
  // Doubling keeps many small strings linear. Reserving the exact size would copy the whole output each time.
  if output.capacity < needed { output.reserveCapacity(max(needed, output.capacity * 2)) }
  output.append(UInt8(ascii: "\""))
  // Names and most values are short and plain, so they need no pieces.
  if bytes.count <= shortString, bytes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
    output.append(contentsOf: bytes)
    output.append(UInt8(ascii: "\""))
    return
  }
  if var position = bytes.baseAddress {
    let end = position + bytes.count
    // A body that contains JSON has a quotation mark every few bytes, so runs are collected in a piece before they are appended.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: min(pieceSize, bytes.count * longestEscape + slack)) { piece in
      guard let room = piece.baseAddress else { return }
      while position < end {
        let filled = fill(room, piece.count - slack, from: &position, end: end)
        output.append(contentsOf: UnsafeBufferPointer(start: room, count: filled))
      }
    }
  }
  output.append(UInt8(ascii: "\""))
}

/// In bytes: as long as the longest member names.
private let shortString = 32
/// In bytes. A piece is small compared with a processor's L1 cache.
private let pieceSize = 4096
/// The length of `\u00XX`, in bytes.
private let longestEscape = 6
/// In bytes. A word is always written whole, although only its first bytes may count, and an escape may follow it.
private let slack = 16

package func appendJSONString(_ bytes: [UInt8], to output: inout [UInt8]) {
  bytes.withUnsafeBufferPointer { appendJSONString($0, to: &output) }
}

package func appendJSONString(_ string: String, to output: inout [UInt8]) {
  var string = string
  string.withUTF8 { appendJSONString($0, to: &output) }
}

/// Writes the string's next bytes to `room`, escaped, until it has about `limit` bytes. Returns their number.
private func fill(
  _ room: UnsafeMutablePointer<UInt8>, _ limit: Int, from position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
) -> Int {
  let ones: UInt64 = 0x0101_0101_0101_0101
  var filled = 0
  while filled < limit, position < end {
    if end - position >= 8 {
      let bytes = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(room + filled).storeBytes(of: bytes, as: UInt64.self)
      let word = bytes.littleEndian
      let quotation = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5c)
      // A false mark can occur only in a byte above a correctly marked one. With no marks, all eight bytes are plain.
      let escaped = ((quotation &- ones) & ~quotation | (backslash &- ones) & ~backslash) & (ones &* 0x80)
      let controls = (word &- ones &* 0x20) & ~word & (ones &* 0x80)
      if controls == 0 {
        if escaped == 0 {
          filled += 8
        } else {
          // Without a branch per byte, because branch mispredictions dominate in text with many marks.
          for index in 0..<8 {
            let byte = position[index]
            room[filled] = UInt8(ascii: "\\")
            filled &+= byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0
            room[filled] = byte
            filled &+= 1
          }
        }
        position += 8
        continue
      }
    }
    if position.pointee >= 0x20, position.pointee != UInt8(ascii: "\""), position.pointee != UInt8(ascii: "\\") {
      room[filled] = position.pointee
      position += 1
      filled += 1
      continue
    }
    let byte = position.pointee
    position += 1
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      room[filled] = UInt8(ascii: "\\")
      room[filled + 1] = byte
      filled += 2
    } else {
      filled += writeControl(byte, to: room + filled)
    }
  }
  return filled
}

/// Writes a control character's escape, in the short form if there is one. Returns its length.
@inline(never)
private func writeControl(_ byte: UInt8, to room: UnsafeMutablePointer<UInt8>) -> Int {
  room[0] = UInt8(ascii: "\\")
  switch byte {
  case 0x08: room[1] = UInt8(ascii: "b")
  case 0x09: room[1] = UInt8(ascii: "t")
  case 0x0A: room[1] = UInt8(ascii: "n")
  case 0x0C: room[1] = UInt8(ascii: "f")
  case 0x0D: room[1] = UInt8(ascii: "r")
  default:
    let digit = byte & 0x0F
    room[1] = UInt8(ascii: "u")
    room[2] = UInt8(ascii: "0")
    room[3] = UInt8(ascii: "0")
    room[4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
    room[5] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
    return longestEscape
  }
  return 2
}
