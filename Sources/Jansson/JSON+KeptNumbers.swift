extension JSON {
  /// Parses a whole text and keeps each number as it is written, as `verbatim`. Otherwise a number beyond 64 bits would be rejected, and one with a
  /// fraction could be written back with other digits.
  package static func parseKeepingNumbers(_ bytes: [UInt8]) throws(JSONFault) -> JSON {
    // A text of the user could look like one that stands for a number. No program writes this escape in a configuration.
    guard bytes.range(of: Array("\\u0000".utf8)) == nil else { return try parse(bytes) }
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index = min(index + 1, bytes.count)
        text += bytes[start..<index]
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        index = endOfNumber(bytes, from: start)
        try check(number: Array(bytes[start..<index]), at: start)
        text += Array("\"\\u0000".utf8) + bytes[start..<index] + [UInt8(ascii: "\"")]
      default:
        index += 1
        text.append(bytes[start])
      }
    }
    return try parse(text).withNumbers
  }

  private static func check(number: [UInt8], at position: Int) throws(JSONFault) {
    do throws(JSONFault) {
      _ = try parse(number)
    } catch {
      if case .numberOutOfRange = error { return }
      throw .syntax(position: position)
    }
  }

  private var withNumbers: JSON {
    switch self {
    case .string(let text) where text.utf8.first == 0: .verbatim(Array(text.utf8.dropFirst()))
    case .array(let values): .array(values.map(\.withNumbers))
    case .object(let members): .object(members.map { Member($0.name, $0.value.withNumbers) })
    default: self
    }
  }
}

extension [UInt8] {
  fileprivate func range(of part: [UInt8]) -> Int? {
    indices.first { self[$0...].starts(with: part) }
  }
}
