/// Base 64 in the two alphabets of RFC 4648.
enum Base64 {
  private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Base64url without padding (RFC 4648 §5), as PKCE writes its challenge (RFC 7636 appendix A).
  static func urlEncode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
      pending = (pending << 8 | UInt32(byte)) & 0xFFFF
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(urlAlphabet[Int(pending >> UInt32(bits)) & 63])
      }
    }
    if bits > 0 { text.append(urlAlphabet[Int(pending << UInt32(6 - bits)) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes the standard alphabet (RFC 4648 §4), padded or not; nil when a character is foreign to it.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending: UInt32 = 0
    var bits = 0
    for character in text.utf8 where character != UInt8(ascii: "=") {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      default: return nil
      }
      pending = (pending << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
      }
    }
    return bytes
  }
}
