import CJansson

extension JSON {
  /// Returns the text of a message or batch with `null` for every member but `jsonrpc`, `id` and `method`.
  ///
  /// If only the params are unreadable, the rest is enough for the answer. Returns nil if the params have no end.
  package static func withoutParams(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { bytes in
      var scan = EnvelopeScan(rest: bytes[...])
      return scan.message() && scan.rest.isEmpty ? scan.envelope : nil
    }
  }

  /// Scans a message by its brackets, strings and commas only.
  private struct EnvelopeScan {
    private static let copied = ["jsonrpc", "id", "method"].map { Array("\"\($0)\"".utf8) }

    var rest: Slice<UnsafeRawBufferPointer>
    var envelope: [UInt8] = []

    /// A request, or a batch of them.
    mutating func message() -> Bool {
      skipBlanks()
      guard take("[") else { return request() }
      repeat {
        guard request() else { return false }
      } while take(",")
      return take("]")
    }

    private mutating func request() -> Bool {
      guard take("{") else {
        // A batch's element that is not a request is copied, and is rejected later.
        guard let value = value() else { return false }
        envelope += value
        return true
      }
      repeat {
        guard let name = value() else { return false }
        envelope += name
        guard take(":"), let value = value() else { return false }
        if Self.copied.contains(where: { $0.elementsEqual(name) }) { envelope += value } else { envelope += "null".utf8 }
      } while take(",")
      return take("}")
    }

    /// Moves a mark to the envelope, and skips the blanks after it.
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: mark) else { return false }
      envelope.append(rest.removeFirst())
      skipBlanks()
      return true
    }

    private mutating func skipBlanks() { rest = rest.drop(while: Self.isBlank) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    /// Skips a string, which may have megabytes. Returns false if it has no end. A quotation mark after an odd number of backslashes is not the end.
    private mutating func skipString() -> Bool {
      repeat {
        rest.removeFirst()
        guard let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, let mark = memchr(start, 0x22, rest.count) else {
          return false
        }
        rest = rest.dropFirst(UnsafeRawPointer(mark) - start)
      } while rest.base[..<rest.startIndex].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
      rest.removeFirst()
      return true
    }

    /// Returns one value of any kind, or invalid text in its place, and skips the blanks after it. Returns nil if the value is unclosed.
    private mutating func value() -> Slice<UnsafeRawBufferPointer>? {
      let all = rest
      var open: [UInt8] = []
      repeat {
        switch rest.first {
        case nil: return nil
        case UInt8(ascii: "\""): guard skipString() else { return nil }
        // In ASCII, each closing bracket comes two after its opening one.
        case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(rest.removeFirst() + 2)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): guard open.popLast() == rest.removeFirst() else { return nil }
        default: rest = open.isEmpty ? rest.drop { !Self.isBlank($0) && !",:{}[]\"".utf8.contains($0) } : rest.dropFirst()
        }
      } while !open.isEmpty
      let value = all[..<rest.startIndex]
      skipBlanks()
      return value.isEmpty ? nil : value
    }
  }
}
