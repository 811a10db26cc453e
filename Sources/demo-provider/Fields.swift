/// Form or query parameters in their order, duplicates kept.
struct Fields: Sendable {
  var pairs: [(name: String, value: String)]

  init(_ pairs: [(name: String, value: String)]) { self.pairs = pairs }

  /// Decodes `application/x-www-form-urlencoded`.
  init(encoded: Substring) {
    pairs = encoded.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? PercentEncoding.decode(halves[1], plusIsSpace: true) : ""
      return (PercentEncoding.decode(halves[0], plusIsSpace: true), value)
    }
  }

  subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

  /// A parameter without a value counts as absent (RFC 6749 §3.1).
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// Beyond a tebibyte (or as many seconds) nothing is meant seriously, and below it no sum overflows.
  private static let numberLimit = 1 << 40

  /// A whole number that isn't negative; nil when absent or anything else.
  func number(_ name: String) -> Int? {
    guard let text = self[name], let number = Int(text), (0...Self.numberLimit).contains(number) else { return nil }
    return number
  }

  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// The first name that stands there twice, which RFC 6749 §3.1 and §3.2 forbid.
  var duplicate: String? {
    var seen: Set<String> = []
    return pairs.first { !seen.insert($0.name).inserted }?.name
  }

  var encoded: String {
    pairs.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
  }

  /// The parameters as an object; a name that stands there more than once has an array.
  var json: JSONText {
    var names: [String] = []
    var values: [String: [JSONText]] = [:]
    for pair in pairs {
      if values[pair.name] == nil { names.append(pair.name) }
      values[pair.name, default: []].append(.string(pair.value))
    }
    return .object(
      names.map { name in
        let all = values[name] ?? []
        return (name, all.count == 1 ? all[0] : .array(all))
      })
  }
}

/// Percent-encoding (RFC 3986 §2.1), with the form's `+` where asked for.
enum PercentEncoding {
  static func decode(_ text: Substring, plusIsSpace: Bool) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let high = hexValue(rest[rest.startIndex]),
        let low = hexValue(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Encodes all but RFC 3986's unreserved characters.
  static func encode(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
