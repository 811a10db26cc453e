/// Appends the text as a JSON string with its quotation marks (RFC 8259 §7).
///
/// Escapes only what must be escaped: the quotation mark, the backslash and the controls below U+0020. U+007F, U+2028 and U+2029 stay raw.
package func appendJSONString(_ string: String, to output: inout [UInt8]) {
  var string = string
  string.withUTF8 { append($0, to: &output) }
}

private func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
  let needed = output.count + bytes.count + 2
  // Doubling keeps many small strings linear. Reserving the exact size would copy the whole output each time.
  if output.capacity < needed { output.reserveCapacity(max(needed, output.capacity * 2)) }
  output.append(UInt8(ascii: "\""))
  var start = 0
  for index in 0..<bytes.count {
    let byte = bytes[index]
    guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
    output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
    appendEscape(of: byte, to: &output)
    start = index + 1
  }
  output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
  output.append(UInt8(ascii: "\""))
}

/// Appends a character's escape, in the short form if there is one.
private func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
  output.append(UInt8(ascii: "\\"))
  switch byte {
  case 0x08: output.append(UInt8(ascii: "b"))
  case 0x09: output.append(UInt8(ascii: "t"))
  case 0x0A: output.append(UInt8(ascii: "n"))
  case 0x0C: output.append(UInt8(ascii: "f"))
  case 0x0D: output.append(UInt8(ascii: "r"))
  case 0x20...: output.append(byte)
  default:
    let digits = Array("0123456789abcdef".utf8)
    output.append(contentsOf: "u00".utf8)
    output.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }
}
