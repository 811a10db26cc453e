extension JSON {
  /// The text with `null` in the place of every number that `parse` cannot take in, so that all the rest of it can be read, and where the first stood.
  ///
  /// The text has been found to be JSON otherwise; each such number has more than four characters.
  package static func withoutLargeNumbers(_ bytes: [UInt8]) -> (text: [UInt8], position: Int) {
    var text = bytes
    var first: Int?
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = index
        while index < bytes.count, isNumeral(bytes[index]) { index += 1 }
        guard isLarge(bytes[start..<index]) else { continue }
        first = first ?? start
        for place in start..<index { text[place] = UInt8(ascii: " ") }
        for (offset, letter) in "null".utf8.enumerated() { text[start + offset] = letter }
      default: index += 1
      }
    }
    return (text, first ?? 0)
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isLarge(_ number: ArraySlice<UInt8>) -> Bool {
    // The shortest is 1e309.
    guard number.count > 4 else { return false }
    let text = String(decoding: number, as: UTF8.self)
    if number.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) { return Int(text) == nil }
    return Double(text)?.isInfinite ?? false
  }
}
