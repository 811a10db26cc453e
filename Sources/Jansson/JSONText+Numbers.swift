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
    let mantissaEnd = next
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
      if Self.isInfinite(from: first, to: mantissaEnd, exponent: exponent) { note(.numberOverflow) }
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

  /// Whether a Double with this mantissa and exponent is infinite.
  ///
  /// The smallest number that rounds to infinity is an integer of 309 digits, so no digit after the 309th matters.
  private static func isInfinite(from first: UnsafePointer<UInt8>, to last: UnsafePointer<UInt8>, exponent: Int) -> Bool {
    var wholeDigits = 0
    var hasPoint = false
    var significant: [UInt8] = []
    var position = first
    while position < last {
      let byte = position.pointee
      position += 1
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if significant.isEmpty, byte == UInt8(ascii: "0") {
        if hasPoint { wholeDigits -= 1 }
      } else {
        if !hasPoint { wholeDigits += 1 }
        if significant.count < largestDoubleDigits { significant.append(byte) }
      }
    }
    guard !significant.isEmpty else { return false }
    let magnitude = wholeDigits + exponent
    guard magnitude == largestDoubleDigits else { return magnitude > largestDoubleDigits }
    let rounded = Double("0.\(String(decoding: significant, as: UTF8.self))e\(largestDoubleDigits)")
    return rounded == nil || rounded == .infinity
  }
}
