extension JSON {
  /// Returns the byte position of the first number that is too large for `parse`. The text must otherwise be valid JSON.
  package static func positionOfLargeNumber(_ bytes: [UInt8]) -> Int {
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
        if isLarge(bytes[start..<index]) { return start }
      default: index += 1
      }
    }
    return 0
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
    // The shortest too large number is 1e309.
    guard number.count > 4 else { return false }
    let text = String(decoding: number, as: UTF8.self)
    if number.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) { return Int(text) == nil }
    return Double(text)?.isInfinite ?? false
  }
}
