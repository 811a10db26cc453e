/// The member names of all open objects of a JSON text, innermost last. Finds objects with duplicate members (RFC 8259 §4).
///
/// Names are compared after unescaping: `"a"` and `"\u0061"` are the same name. Up to 16 names are compared pairwise, first by a word.
/// More are put into a `Set`, whose seeded hashes keep a hostile body from making the scan quadratic.
struct MemberNames {
  /// The most members that are compared pairwise. Above about this number, hashing is faster.
  private static let pairwiseLimit = 16

  private var open: [MemberName] = []
  private let textCount: Int
  /// The memory of unescaped names. It never moves, because `open` points into it.
  private var unescaped: UnsafeMutablePointer<UInt8>?
  private var unescapedCount = 0

  init(textCount: Int) {
    self.textCount = textCount
  }

  package var count: Int { open.count }

  /// Frees the memory of unescaped names. No name may be used afterwards.
  mutating func discard() {
    open = []
    unescaped?.deallocate()
    unescaped = nil
  }

  /// Adds a name of the innermost object. The bytes are those between its quotation marks; `textEnd` is the end of the whole text.
  @inline(__always)
  package mutating func append(_ name: UnsafeBufferPointer<UInt8>, isEscaped: Bool, textEnd: UnsafePointer<UInt8>) {
    guard let start = name.baseAddress else { return }
    if isEscaped {
      appendUnescaped(start, count: name.count)
    } else {
      open.append(MemberName(start, count: name.count, isWordReadable: textEnd - start >= 8))
    }
  }

  /// An escape is longer than its character, so all unescaped names together fit into the text's length.
  @inline(never)
  private mutating func appendUnescaped(_ start: UnsafePointer<UInt8>, count: Int) {
    let memory = unescaped ?? UnsafeMutablePointer<UInt8>.allocate(capacity: textCount)
    unescaped = memory
    let target = memory + unescapedCount
    let written = JSONText.unescape(start, end: start + count, into: target)
    unescapedCount += written
    open.append(MemberName(UnsafePointer(target), count: written, isWordReadable: false))
  }

  /// Removes the innermost object's names, which start at index `first`. Returns whether they are all different.
  mutating func closeObject(first: Int) -> Bool {
    let count = open.count - first
    let areDistinct = count < 2 || open.withUnsafeBufferPointer { Self.areDistinct(UnsafeBufferPointer(rebasing: $0[first...])) }
    open.removeLast(count)
    return areDistinct
  }

  private static func areDistinct(_ names: UnsafeBufferPointer<MemberName>) -> Bool {
    if names.count > pairwiseLimit {
      var seen = Set<MemberName>(minimumCapacity: names.count)
      for name in names where !seen.insert(name).inserted { return false }
      return true
    }
    for index in 1..<names.count {
      let name = names[index]
      for other in 0..<index where names[other] == name { return false }
    }
    return true
  }
}

extension JSONText {
  /// Writes the unescaped content of the valid string from `start` to `end`, without lone surrogates. Returns the number of bytes.
  static func unescape(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) -> Int {
    var position = start
    var count = 0
    while position < end {
      guard position.pointee == UInt8(ascii: "\\"), end - position >= 2 else {
        target[count] = position.pointee
        count += 1
        position += 1
        continue
      }
      guard let unit = codeUnit(position, end: end) else {
        target[count] = unescapedByte(position[1])
        count += 1
        position += 2
        continue
      }
      position += 6
      var scalar = unit
      if 0xD800..<0xDC00 ~= unit, let low = codeUnit(position, end: end) {
        scalar = 0x10000 + (unit - 0xD800) << 10 + (low &- 0xDC00)
        position += 6
      }
      for byte in String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 {
        target[count] = byte
        count += 1
      }
    }
    return count
  }

  private static func unescapedByte(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    default: letter
    }
  }
}
