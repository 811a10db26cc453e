/// Appends the UTF-8 bytes as a JSON string with its quotation marks (RFC 8259 §7).
///
/// Only what must be escaped is: the quotation mark, the backslash and the controls below U+0020. U+007F, U+2028 and U+2029 stay raw.
/// The bytes have been validated as UTF-8 before; they are copied in runs, because a response body may be megabytes long.
package func appendJSONString(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
  let needed = output.count + bytes.count + 2
  // Doubling keeps many small strings linear: asking for just what is needed would copy the whole output each time.
  if output.capacity < needed { output.reserveCapacity(max(needed, output.capacity * 2)) }
  output.append(UInt8(ascii: "\""))
  if let start = bytes.baseAddress {
    let end = start + bytes.count
    var run = start
    while run < end {
      let stop = endOfPlainRun(run, end: end)
      output.append(contentsOf: UnsafeBufferPointer(start: run, count: stop - run))
      guard stop < end else { break }
      appendEscape(of: stop.pointee, to: &output)
      run = stop + 1
    }
  }
  output.append(UInt8(ascii: "\""))
}

package func appendJSONString(_ bytes: [UInt8], to output: inout [UInt8]) {
  bytes.withUnsafeBufferPointer { appendJSONString($0, to: &output) }
}

package func appendJSONString(_ string: String, to output: inout [UInt8]) {
  var string = string
  string.withUTF8 { appendJSONString($0, to: &output) }
}

/// The first byte from `start` on that needs an escape, or `end`.
private func endOfPlainRun(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
  let ones: UInt64 = 0x0101_0101_0101_0101
  var position = start
  while end - position >= 8 {
    let word = UnsafeRawPointer(position).loadUnaligned(as: UInt64.self).littleEndian
    let quotation = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let marks = (quotation &- ones) & ~quotation | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word
    let stops = marks & (ones &* 0x80)
    // A borrow may mark a byte above the lowest mark wrongly, never one below it.
    if stops != 0 { return position + stops.trailingZeroBitCount >> 3 }
    position += 8
  }
  while position < end, position.pointee >= 0x20, position.pointee != UInt8(ascii: "\""), position.pointee != UInt8(ascii: "\\") {
    position += 1
  }
  return position
}

private func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\\"))
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
  case 0x08: output.append(UInt8(ascii: "b"))
  case 0x09: output.append(UInt8(ascii: "t"))
  case 0x0A: output.append(UInt8(ascii: "n"))
  case 0x0C: output.append(UInt8(ascii: "f"))
  case 0x0D: output.append(UInt8(ascii: "r"))
  default:
    output.append(contentsOf: "u00".utf8)
    output.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
    let digit = byte & 0x0F
    output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
  }
}
