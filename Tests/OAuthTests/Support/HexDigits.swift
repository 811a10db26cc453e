extension [UInt8] {
  /// Bytes written as pairs of hexadecimal digits; anything between them is skipped.
  init(hexDigits text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
