extension JSON {
  /// A message's text, or a batch's, with `null` in the place of every member but `jsonrpc`, `id` and `method`.
  ///
  /// Where only the params can't be read, all that the answer needs can still be. nil where a string or a bracket doesn't end, because then there is
  /// no telling where the params do.
  package static func withoutParams(_ bytes: [UInt8]) -> [UInt8]? {
    var scan = EnvelopeScan(bytes)
    return scan.message() && scan.isAtEnd ? scan.envelope : nil
  }
}

/// Goes over a message by its brackets, strings and commas alone.
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
      // What is no request in a batch is answered as such.
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

  /// Takes a mark, with what stood before it, and the blanks behind it.
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

  /// One value of any kind, whatever stands in it, and the blanks behind it; nil where it doesn't end.
  private mutating func value() -> ArraySlice<UInt8>? {
    let start = index
    var open: [UInt8] = []
    repeat {
      guard let byte = next else { return nil }
      switch byte {
      case UInt8(ascii: "\""):
        guard skipString() else { return nil }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // Two behind each of them in ASCII is the one that closes it.
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

  /// A number, `true`, `false`, `null`, or what a caller wrote in the place of one.
  private mutating func skipWord() {
    while let byte = next, !Self.isBlank(byte), !",:{}[]\"".utf8.contains(byte) { index += 1 }
  }
}
