/// Compact JSON text with line breaks and indentation, for a terminal. Values stay as they are, but control characters are escaped.
package enum IndentedJSON {
  package static func text(_ json: [UInt8]) -> [UInt8] {
    let (json, quote) = (escaped(json), UInt8(ascii: "\""))
    var (text, depth, isInString, isEscaped) = ([UInt8](), 0, false, false)
    func newLine() { text += [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 2 * depth) }
    for (index, byte) in json.enumerated() {
      if isInString {
        text.append(byte)
        isInString = isEscaped || byte != quote
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      // In ASCII, each closing bracket comes two after its opening one. An empty pair stays on one line.
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        text.append(byte)
        depth += 1
        if index + 1 < json.count, json[index + 1] != byte + 2 { newLine() }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if index > 0, json[index - 1] != byte - 2 { newLine() }
        text.append(byte)
      case UInt8(ascii: ","):
        text.append(byte)
        newLine()
      case UInt8(ascii: ":"): text += [byte, UInt8(ascii: " ")]
      default:
        isInString = byte == quote
        text.append(byte)
      }
    }
    return text
  }

  /// Returns JSON text with escapes for U+007F to U+009F. JSON itself escapes only the characters below a blank, and a terminal obeys these, too.
  package static func escaped(_ json: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(json.count)
    for (index, byte) in json.enumerated() {
      let isC1 = 0x80...0x9F ~= byte && index > 0 && json[index - 1] == 0xC2
      if isC1 { text.removeLast() }
      if isC1 || byte == 0x7F { text += Array("\\u00\(String(byte, radix: 16))".utf8) } else { text.append(byte) }
    }
    return text
  }
}
