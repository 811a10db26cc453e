/// A JSON text (RFC 8259 §2) read once from front to back: the grammar's values, and the copying of all but white space.
///
/// It works on bare pointers because the body may be megabytes long and this is the only pass over it; every read is
/// preceded by a comparison with `end`, and the output can't outgrow the input.
struct JSONText {
  let end: UnsafePointer<UInt8>
  var next: UnsafePointer<UInt8>
  /// The names of the members of all objects still open.
  var names: MemberNames
  /// What was found first of the things that are JSON and yet keep the text from being spliced.
  private(set) var concern: JSONScan.Reason?

  private let start: UnsafePointer<UInt8>
  /// The first byte that belongs to the output and isn't yet written to it.
  private var unwritten: UnsafePointer<UInt8>
  private let output: UnsafeMutablePointer<UInt8>
  private(set) var written = 0

  /// `output` has room for `count` bytes.
  init(_ start: UnsafePointer<UInt8>, count: Int, compactedInto output: UnsafeMutablePointer<UInt8>) {
    self.start = start
    self.end = start + count
    self.next = start
    self.unwritten = start
    self.names = MemberNames(textCount: count)
    self.output = output
  }

  /// Whether no white space was met, so that the text is its own compact form and nothing was written.
  var isCompact: Bool { unwritten == start }

  /// Reads the whole text; throws the reason where it can't be spliced.
  mutating func read() throws(JSONScan.Reason) {
    skipBlanks()
    guard next < end else { throw .empty }
    try readValue(depth: 0)
    skipBlanks()
    guard next == end else { throw unexpected }
    if let concern { throw concern }
    if !isCompact { write(upTo: end) }
  }

  /// Remembers what is JSON and yet not to be spliced; the reading goes on, since the text may still turn out not to be JSON.
  mutating func note(_ reason: JSONScan.Reason) {
    if concern == nil { concern = reason }
  }

  /// The reason for stopping at the next byte, which no rule of the grammar allows.
  var unexpected: JSONScan.Reason {
    next < end && next.pointee == 0 ? .nul : .notJSON
  }

  private mutating func readValue(depth: Int) throws(JSONScan.Reason) {
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

  private mutating func readObject(depth: Int) throws(JSONScan.Reason) {
    guard depth <= JSONScan.deepestNesting else { throw .tooDeep }
    next += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return }
    let first = names.count
    repeat {
      skipBlanks()
      guard next < end, next.pointee == UInt8(ascii: "\"") else { throw unexpected }
      let name = next + 1
      let isEscaped = try readString()
      if concern == nil { names.append(UnsafeBufferPointer(start: name, count: next - 1 - name), isEscaped: isEscaped, textEnd: end) }
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw unexpected }
      skipBlanks()
      try readValue(depth: depth)
      skipBlanks()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected }
    if concern == nil, !names.closeObject(first: first) { note(.duplicateMembers) }
  }

  private mutating func readArray(depth: Int) throws(JSONScan.Reason) {
    guard depth <= JSONScan.deepestNesting else { throw .tooDeep }
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

  private mutating func readLiteral(_ literal: StaticString) throws(JSONScan.Reason) {
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
  private mutating func skipBlanks() {
    if next < end, next.pointee <= UInt8(ascii: " ") { dropBlanks() }
  }

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
