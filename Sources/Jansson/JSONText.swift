/// Parses a JSON text (RFC 8259 §2) once from start to end, and copies everything except white space.
///
/// It uses raw pointers because the body may be megabytes long and this is the only pass.
/// Every read follows a comparison with `end`, and the output can't be longer than the input.
struct JSONText {
  package let end: UnsafePointer<UInt8>
  package var next: UnsafePointer<UInt8>
  /// The member names of all open objects.
  package var names: MemberNames
  /// The first reason not to splice a text that is JSON.
  private(set) var concern: JSON.Scan.Reason?

  private let start: UnsafePointer<UInt8>
  /// The bits of all bytes in strings. UTF-8 is checked only if one of them isn't ASCII.
  var highBits: UInt64 = 0
  /// The first byte of the output that isn't written yet.
  private var unwritten: UnsafePointer<UInt8>
  private let output: UnsafeMutablePointer<UInt8>
  package private(set) var written = 0

  /// `output` has room for `count` bytes.
  init(_ start: UnsafePointer<UInt8>, count: Int, compactedInto output: UnsafeMutablePointer<UInt8>) {
    self.start = start
    self.end = start + count
    (self.next, self.unwritten) = (start, start)
    self.names = MemberNames()
    self.output = output
  }

  /// Whether the text has no white space. It is then its own compact form, and nothing was written.
  var isCompact: Bool { unwritten == start }

  /// Reads the whole text. Throws the reason if it can't be spliced.
  package mutating func read() throws(JSON.Scan.Reason) {
    skipBlanks()
    guard next < end else { throw .empty }
    try readValue(depth: 0)
    skipBlanks()
    guard next == end else { throw unexpected }
    guard isUTF8 else { throw .notUTF8 }
    if let concern { throw concern }
    if !isCompact { write(upTo: end) }
  }

  private var isUTF8: Bool {
    highBits & 0x8080_8080_8080_8080 == 0 || String(validating: UnsafeBufferPointer(start: start, count: end - start), as: UTF8.self) != nil
  }

  /// Records a reason not to splice valid JSON. Parsing continues, because the text may still prove not to be JSON.
  package mutating func note(_ reason: JSON.Scan.Reason) { if concern == nil { concern = reason } }

  /// The reason to stop at the next byte, which the grammar doesn't allow.
  var unexpected: JSON.Scan.Reason { next < end && next.pointee == 0 ? .nul : .notJSON }

  private mutating func readValue(depth: Int) throws(JSON.Scan.Reason) {
    guard next < end else { throw .notJSON }
    switch next.pointee {
    case UInt8(ascii: "\""): _ = try readString()
    case UInt8(ascii: "{"): try readObject(depth: depth + 1)
    case UInt8(ascii: "["): try readArray(depth: depth + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case UInt8(ascii: "t"): try readLiteral("true")
    case UInt8(ascii: "f"): try readLiteral("false")
    case UInt8(ascii: "n"): try readLiteral("null")
    default: throw unexpected
    }
  }

  private mutating func readObject(depth: Int) throws(JSON.Scan.Reason) {
    guard depth <= JSON.Scan.deepestNesting else { throw .tooDeep }
    next += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return }
    let first = names.count
    repeat {
      skipBlanks()
      guard next < end, next.pointee == UInt8(ascii: "\"") else { throw unexpected }
      let name = next + 1
      let isEscaped = try readString()
      let bytes = UnsafeBufferPointer(start: name, count: next - 1 - name)
      if concern == nil { names.append(bytes, isEscaped: isEscaped) }
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw unexpected }
      skipBlanks()
      try readValue(depth: depth)
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected }
    if concern == nil, !names.closeObject(first: first) { note(.duplicateMembers) }
  }

  private mutating func readArray(depth: Int) throws(JSON.Scan.Reason) {
    guard depth <= JSON.Scan.deepestNesting else { throw .tooDeep }
    next += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return }
    repeat {
      skipBlanks()
      try readValue(depth: depth)
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected }
  }

  private mutating func readLiteral(_ literal: StaticString) throws(JSON.Scan.Reason) {
    for index in 0..<literal.utf8CodeUnitCount {
      guard next < end, next.pointee == literal.utf8Start[index] else { throw unexpected }
      next += 1
    }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard next < end, next.pointee == byte else { return false }
    next += 1
    return true
  }

  // MARK: White space

  @inline(__always)
  private mutating func skipBlanks() { if next < end, next.pointee <= UInt8(ascii: " ") { dropBlanks() } }

  @inline(never)
  private mutating func dropBlanks() {
    let first = next
    var position = next
    scan: while position < end {
      switch position.pointee {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: break scan
      }
    }
    guard position > first else { return }
    write(upTo: first)
    next = position
    unwritten = position
  }

  private mutating func write(upTo limit: UnsafePointer<UInt8>) {
    let count = limit - unwritten
    (output + written).update(from: unwritten, count: count)
    written += count
  }
}

/// Parses numbers (RFC 8259 §6) and detects the two kinds that some parsers don't keep.
extension JSONText {
  /// The digits of the largest Double before its point. A number with fewer is finite, one with more is infinite.
  private static let largestDoubleDigits = 309

  mutating func readNumber() throws(JSON.Scan.Reason) {
    if next.pointee == UInt8(ascii: "-") { next += 1 }
    let first = next
    var value: UInt64 = 0
    while next < end, let digit = digit(next) {
      value = value &* 10 &+ digit
      next += 1
    }
    let digits = next - first
    guard digits > 0 else { throw unexpected }
    // The fault is the zero, not the byte after the number.
    guard digits == 1 || first.pointee != UInt8(ascii: "0") else { throw .notJSON }

    var isInteger = true
    if next < end, next.pointee == UInt8(ascii: ".") {
      isInteger = false
      next += 1
      _ = try readDigits()
    }
    var exponent = 0
    if next < end, next.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      next += 1
      var isNegative = false
      if next < end, next.pointee == UInt8(ascii: "-") || next.pointee == UInt8(ascii: "+") {
        isNegative = next.pointee == UInt8(ascii: "-")
        next += 1
      }
      exponent = try readDigits()
      if isNegative { exponent = -exponent }
    }

    if isInteger {
      // 2^53 - 1 has 16 digits. With at most 19 digits, the value above can't have wrapped.
      if digits >= 16, digits > 19 || value > JSON.Scan.largestInteger { note(.integerOutOfRange) }
    } else if digits + exponent >= Self.largestDoubleDigits, concern == nil {
      let text = String(decoding: UnsafeBufferPointer(start: first, count: next - first), as: UTF8.self)
      if Double(text)?.isFinite != true { note(.numberOverflow) }
    }
  }

  /// Reads one or more digits and returns their value, at most 2^48. No mantissa has enough digits to offset such an exponent.
  private mutating func readDigits() throws(JSON.Scan.Reason) -> Int {
    let first = next
    var value = 0
    while next < end, let digit = digit(next) {
      value = min(value &* 10 &+ Int(digit), 1 << 48)
      next += 1
    }
    guard next > first else { throw unexpected }
    return value
  }

  @inline(__always)
  private func digit(_ position: UnsafePointer<UInt8>) -> UInt64? {
    let digit = position.pointee &- UInt8(ascii: "0")
    return digit < 10 ? UInt64(digit) : nil
  }
}
