import Jansson

/// Two digits for each byte (RFC 4648, 8).
package enum Hexadecimal {
  /// Returns digits in lower case.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns nil for a text that is not pairs of hexadecimal digits.
  package static func decode(_ text: String) -> [UInt8]? {
    let values = text.utf8.compactMap(hexDigitValue)
    guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
