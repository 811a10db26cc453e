/// Returns the value of an ASCII hexadecimal digit in either case.
package func hexDigitValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

package func isASCIILetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

package func isASCIIDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

package func isASCIILetterOrDigit(_ byte: UInt8) -> Bool { isASCIILetter(byte) || isASCIIDigit(byte) }

/// Whether the byte may be part of a token, such as a method or a header's name (RFC 9110, 5.6.2).
package func isTokenByte(_ byte: UInt8) -> Bool { isASCIILetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }
