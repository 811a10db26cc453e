import Jansson

extension FrameDecoder {
  /// The header lines before a message (LSP 3.17, base protocol). Parsed leniently: any case, optional blank, unknown names ignored.
  struct HeaderBlock {
    /// 1 GiB. A larger length is certainly wrong, and skipping that much would block the stream permanently.
    private static let believedLimit = 1 << 30

    /// Bytes read so far, for the limit.
    var size = 0
    private var lengths: [String] = []
    private var charset: String?

    /// Returns name and trimmed value of a line that matches `^[A-Za-z_-][0-9A-Za-z_-]*:`. No JSON text starts like that.
    static func field(in line: ArraySlice<UInt8>) -> (name: String, value: String)? {
      guard let first = line.first, let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return nil }
      let name = line[line.startIndex..<colon]
      let isName = name.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      guard isName, !isASCIIDigit(first) else { return nil }
      var value = line[(colon + 1)...].drop(while: isBlank)
      while let last = value.last, isBlank(last) { value = value.dropLast() }
      return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
    }

    /// Returns where a content-length starts at the end of a line with other text before it. No JSON text ends like that.
    static func lengthField(atEndOf line: ArraySlice<UInt8>) -> Int? {
      var end = line.endIndex
      while end > line.startIndex, isASCIIDigit(line[end - 1]) { end -= 1 }
      guard end < line.endIndex else { return nil }
      while end > line.startIndex, isBlank(line[end - 1]) { end -= 1 }
      let name = "content-length:".utf8
      let start = end - name.count
      guard start > line.startIndex, line[start..<end].elementsEqual(name, by: { $0 | 0x20 == $1 }) else { return nil }
      return start
    }

    mutating func add(_ field: (name: String, value: String)) {
      switch field.name {
      case "content-length": lengths.append(field.value)
      case "content-type":
        for part in field.value.lowercased().split(separator: ";") {
          let parameter = part.drop { $0 == " " }
          if parameter.hasPrefix("charset=") { charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" && $0 != " " } }
        }
      default: break
      }
    }

    /// The number of bytes of the message.
    var length: Int {
      get throws(RPCError) {
        guard let first = lengths.first else { throw .invalidRequest("a header block has no content-length") }
        guard lengths.allSatisfy({ $0 == first }) else { throw .invalidRequest("a header block has two different content-lengths") }
        guard !first.isEmpty, first.utf8.allSatisfy(isASCIIDigit) else { throw .invalidRequest("a content-length is not a number") }
        guard let length = Int(first), length <= Self.believedLimit else {
          throw .invalidRequest("a content-length is larger than the limit")
        }
        return length
      }
    }

    /// Whether the message is in UTF-8. Older clients write `utf8`.
    var isUTF8: Bool { charset == nil || charset == "utf-8" || charset == "utf8" }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
  }
}
