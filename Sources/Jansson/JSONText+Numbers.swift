/// Parses numbers (RFC 8259 §6) and detects the two kinds that some parsers don't keep.
extension JSONText {
  /// The digits of the largest Double before its point. A number with fewer is finite, one with more is infinite.
  private static let largestDoubleDigits = 309

  mutating func readNumber() throws(JSON.Scan.Reason) {
    if next.pointee == UInt8(ascii: "-") { next += 1 }
    let first = next
    var value: UInt64 = 0
    while next < end, let digit = digit(next) {
      value = value &* 10 &+ digit
      next += 1
    }
    let digits = next - first
    guard digits > 0 else { throw unexpected }
    // The fault is the zero, not the byte after the number.
    guard digits == 1 || first.pointee != UInt8(ascii: "0") else { throw .notJSON }

    var isInteger = true
    if next < end, next.pointee == UInt8(ascii: ".") {
      isInteger = false
      next += 1
      _ = try readDigits()
    }
    var exponent = 0
    if next < end, next.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      next += 1
      var isNegative = false
      if next < end, next.pointee == UInt8(ascii: "-") || next.pointee == UInt8(ascii: "+") {
        isNegative = next.pointee == UInt8(ascii: "-")
        next += 1
      }
      exponent = try readDigits()
      if isNegative { exponent = -exponent }
    }

    if isInteger {
      // 2^53 - 1 has 16 digits. With at most 19 digits, the value above can't have wrapped.
      if digits >= 16, digits > 19 || value > JSON.Scan.largestInteger { note(.integerOutOfRange) }
    } else if digits + exponent >= Self.largestDoubleDigits, concern == nil {
      let text = String(decoding: UnsafeBufferPointer(start: first, count: next - first), as: UTF8.self)
      if Double(text)?.isFinite != true { note(.numberOverflow) }
    }
  }

  /// Reads one or more digits and returns their value, at most 2^48. No mantissa has enough digits to offset such an exponent.
  private mutating func readDigits() throws(JSON.Scan.Reason) -> Int {
    let first = next
    var value = 0
    while next < end, let digit = digit(next) {
      value = min(value &* 10 &+ Int(digit), 1 << 48)
      next += 1
    }
    guard next > first else { throw unexpected }
    return value
  }

  @inline(__always)
  private func digit(_ position: UnsafePointer<UInt8>) -> UInt64? {
    let digit = position.pointee &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }
}
