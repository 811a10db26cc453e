extension JSON {
  /// Returns the text of a message or batch with `null` for every member but `jsonrpc`, `id` and `method`.
  ///
  /// If only the params are unreadable, the rest is enough for the answer. Returns nil if a string or bracket is unclosed, because then the end of
  /// the params is unknown.
  package static func withoutParams(_ bytes: [UInt8]) -> [UInt8]? {
    var scan = EnvelopeScan(bytes)
    return scan.message() && scan.isAtEnd ? scan.envelope : nil
  }
}

extension JSON {
  /// Scans a message by its brackets, strings and commas only.
  private struct EnvelopeScan {
    private static let kept: [[UInt8]] = ["jsonrpc", "id", "method"].map { Array("\"\($0)\"".utf8) }

    private let bytes: [UInt8]
    private var index = 0
    private(set) var envelope: [UInt8] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    var isAtEnd: Bool { index == bytes.count }

    /// A request, or a batch of them.
    mutating func message() -> Bool {
      skipBlanks()
      guard take(UInt8(ascii: "[")) else { return request() }
      repeat {
        guard request() else { return false }
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]"))
    }

    private mutating func request() -> Bool {
      guard take(UInt8(ascii: "{")) else {
        // A batch's element that is not a request is kept, and is rejected later.
        guard let value = value() else { return false }
        envelope.append(contentsOf: value)
        return true
      }
      repeat {
        guard let name = value(), take(UInt8(ascii: ":"), after: name), let value = value() else { return false }
        envelope.append(contentsOf: Self.kept.contains { $0.elementsEqual(name) } ? value : ArraySlice("null".utf8))
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "}"))
    }

    /// Consumes a mark and the blanks after it, and appends `before` and the mark.
    private mutating func take(_ mark: UInt8, after before: ArraySlice<UInt8> = []) -> Bool {
      guard next == mark else { return false }
      envelope.append(contentsOf: before)
      envelope.append(mark)
      index += 1
      skipBlanks()
      return true
    }

    private mutating func skipBlanks() {
      while let byte = next, Self.isBlank(byte) { index += 1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Returns one value of any kind and skips the blanks after it. Returns nil if the value is unclosed.
    private mutating func value() -> ArraySlice<UInt8>? {
      let start = index
      var open: [UInt8] = []
      repeat {
        guard let byte = next else { return nil }
        switch byte {
        case UInt8(ascii: "\""):
          guard skipString() else { return nil }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          // In ASCII, each closing bracket comes two after its opening one.
          open.append(byte + 2)
          index += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          guard open.popLast() == byte else { return nil }
          index += 1
        default:
          if open.isEmpty { skipWord() } else { index += 1 }
        }
      } while !open.isEmpty
      let value = bytes[start..<index]
      skipBlanks()
      return value.isEmpty ? nil : value
    }

    private mutating func skipString() -> Bool {
      index += 1
      while let byte = next, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
      index += 1
      return index <= bytes.count
    }

    /// Skips a number, `true`, `false`, `null`, or invalid text in their place.
    private mutating func skipWord() {
      while let byte = next, !Self.isBlank(byte), !",:{}[]\"".utf8.contains(byte) { index += 1 }
    }
  }
}
