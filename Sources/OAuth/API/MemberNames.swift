/// The names of the members of all open objects of a JSON text, innermost last, to find an object that has one twice (RFC 8259 §4).
///
/// Names are compared as the strings they stand for: `"a"` and `"\u0061"` are one name. Up to 16 are compared pairwise, by a word
/// first; more go through a `Set`, whose hashes are seeded, so that a hostile body can't make the reading quadratic.
struct MemberNames {
  /// More members than this are compared by hash: about here a pairwise comparison begins to cost more.
  private static let pairwiseLimit = 16

  private var open: [MemberName] = []
  private let textCount: Int
  /// Where unescaped names are kept; it never moves, since `open` points into it.
  private var unescaped: UnsafeMutablePointer<UInt8>?
  private var unescapedCount = 0

  init(textCount: Int) {
    self.textCount = textCount
  }

  var count: Int { open.count }

  /// Gives back the memory of unescaped names; no name is looked at any more.
  mutating func discard() {
    open = []
    unescaped?.deallocate()
    unescaped = nil
  }

  /// Adds a name of the innermost object; the bytes are those between its quotation marks, `textEnd` the end of the whole text.
  @inline(__always)
  mutating func append(_ name: UnsafeBufferPointer<UInt8>, isEscaped: Bool, textEnd: UnsafePointer<UInt8>) {
    guard let start = name.baseAddress else { return }
    if isEscaped {
      appendUnescaped(start, count: name.count)
    } else {
      open.append(MemberName(start, count: name.count, isWordReadable: textEnd - start >= 8))
    }
  }

  /// An escape is longer than what it stands for, so all unescaped names together fit into the text's own length.
  @inline(never)
  private mutating func appendUnescaped(_ start: UnsafePointer<UInt8>, count: Int) {
    let memory = unescaped ?? UnsafeMutablePointer<UInt8>.allocate(capacity: textCount)
    unescaped = memory
    let target = memory + unescapedCount
    let written = JSONText.unescape(start, end: start + count, into: target)
    unescapedCount += written
    open.append(MemberName(UnsafePointer(target), count: written, isWordReadable: false))
  }

  /// Forgets the innermost object's names, which begin at index `first`; returns whether they are all different.
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

/// One unescaped member name, in memory that outlives it.
struct MemberName: Hashable {
  private let start: UnsafePointer<UInt8>
  private let count: Int
  /// The first bytes (up to 8) mixed with the length: names that differ here need no further look.
  private let word: UInt64

  /// `isWordReadable` says that 8 bytes may be read from `start`, however short the name.
  @inline(__always)
  init(_ start: UnsafePointer<UInt8>, count: Int, isWordReadable: Bool) {
    self.start = start
    self.count = count
    var word: UInt64 = 0
    if isWordReadable {
      word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian
      if count < 8 { word &= (1 << UInt64(count * 8)) &- 1 }
    } else {
      for index in 0..<min(count, 8) { word |= UInt64(start[index]) << UInt64(index * 8) }
    }
    if count > 8 {
      // The last bytes tell apart what `created_at` and `created_by` have in common.
      word ^= UnsafeRawPointer(start + count - 8).loadUnaligned(as: UInt64.self).littleEndian &* 0x9E37_79B9_7F4A_7C15
    }
    self.word = word
  }

  @inline(__always)
  static func == (left: Self, right: Self) -> Bool {
    guard left.word == right.word, left.count == right.count else { return false }
    return left.bytes.elementsEqual(right.bytes)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
  }

  private var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
}

extension JSONText {
  /// Writes what the valid string content from `start` to `end` stands for, without lone surrogates; returns how many bytes that is.
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
