extension JSON {
  /// Returns the byte position of the first number that is too large for `parse`. Only the text before that number must be valid JSON.
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
        index = endOfNumber(bytes, from: start)
        if isLarge(bytes[start..<index]) { return start }
      default: index += 1
      }
    }
    return 0
  }

  /// Returns the end of the longest number at `start` (RFC 8259 §6). What follows may be invalid, such as another sign.
  private static func endOfNumber(_ bytes: [UInt8], from start: Int) -> Int {
    var index = start
    func isNext(_ choices: String) -> Bool { index < bytes.count && choices.utf8.contains(bytes[index]) }
    func skipDigits() {
      while index < bytes.count, isASCIIDigit(bytes[index]) { index += 1 }
    }
    if isNext("-") { index += 1 }
    skipDigits()
    if isNext(".") {
      index += 1
      skipDigits()
    }
    if isNext("eE") {
      index += 1
      if isNext("+-") { index += 1 }
      skipDigits()
    }
    return index
  }

  private static func isLarge(_ number: ArraySlice<UInt8>) -> Bool {
    // The shortest too large number is 1e309.
    guard number.count > 4 else { return false }
    let text = String(decoding: number, as: UTF8.self)
    if number.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) { return Int(text) == nil }
    return Double(text)?.isInfinite ?? false
  }
}
