extension [UInt8] {
  /// Reads pairs of hexadecimal digits and skips all other characters.
  package init(hexDigits text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
