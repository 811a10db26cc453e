import Jansson

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parameters that a signature covers, encoded and put in order (RFC 5849 §3.4.1.3.2).
///
/// One buffer holds all encoded names and values. It holds bytes, since escapes in a query need not be valid UTF-8 and must be kept.
struct EncodedParameters {
  /// One parameter's position in the buffer: the name ends at `middle`, the value at `end`.
  private struct Entry {
    var start: Int
    var middle: Int
    var end: Int
  }

  private var buffer: [UInt8] = []
  private var entries: [Entry] = []

  init() {
    // Enough for the protocol's parameters and a few of the caller's.
    buffer.reserveCapacity(512)
    entries.reserveCapacity(16)
  }

  package var count: Int { entries.count }

  package mutating func add(_ name: String, _ value: String) {
    let start = buffer.count
    Self.appendEncoded(name.utf8, to: &buffer)
    let middle = buffer.count
    Self.appendEncoded(value.utf8, to: &buffer)
    entries.append(Entry(start: start, middle: middle, end: buffer.count))
  }

  /// Adds the parameters of a query or a form (§3.4.1.3.1). Each part is decoded, `+` as a space, and encoded again: `%7e` becomes `~`.
  ///
  /// A part without `=` has an empty value. An empty part is ignored. A percent sign without an escape stays as it is.
  package mutating func add(form: some BidirectionalCollection<UInt8>) {
    let form = ContiguousArray(form)
    var index = 0
    while index < form.count {
      if form[index] == UInt8(ascii: "&") {
        index += 1
        continue
      }
      let start = buffer.count
      var middle: Int?
      while index < form.count, form[index] != UInt8(ascii: "&") {
        var byte = form[index]
        index += 1
        switch byte {
        case UInt8(ascii: "=") where middle == nil:
          middle = buffer.count
          continue
        case UInt8(ascii: "+"): byte = UInt8(ascii: " ")
        case UInt8(ascii: "%"):
          if form.count - index >= 2, let high = hexDigitValue(form[index]), let low = hexDigitValue(form[index + 1]) {
            byte = high << 4 | low
            index += 2
          }
        default: break
        }
        Self.appendEncoded(byte, to: &buffer)
      }
      entries.append(Entry(start: start, middle: middle ?? buffer.count, end: buffer.count))
    }
  }

  /// Sorts the parameters by their encoded bytes, name before value.
  ///
  /// GTMOAuth sorted by decoded names. The order differs for a name with an escape, since `%` sorts before every letter and digit.
  package mutating func sort() {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      entries.sort { left, right in
        let names = Self.compare(base, left.start..<left.middle, right.start..<right.middle)
        return names != 0 ? names < 0 : Self.compare(base, left.middle..<left.end, right.middle..<right.end) < 0
      }
    }
  }

  /// Names and values, still encoded, in their current order.
  package var pairs: [(name: String, value: String)] {
    entries.map { entry in
      (
        String(decoding: buffer[entry.start..<entry.middle], as: UTF8.self),
        String(decoding: buffer[entry.middle..<entry.end], as: UTF8.self)
      )
    }
  }

  /// The name of a forbidden parameter: a repeated one beginning with `oauth_`, or the signature, which is added last (§3.1). Call `sort` first.
  var excessProtocolName: String? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      func isEqual(_ entry: Entry, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
        entry.middle - entry.start == count && memcmp(base + entry.start, other, count) == 0
      }
      for (index, entry) in entries.enumerated() {
        guard entry.middle - entry.start >= 6, memcmp(base + entry.start, "oauth_", 6) == 0 else { continue }
        let last = index > 0 ? entries[index - 1] : entry
        let isRepeated = index > 0 && isEqual(entry, base + last.start, last.middle - last.start)
        if isRepeated || isEqual(entry, "oauth_signature", 15) { return String(decoding: bytes[entry.start..<entry.middle], as: UTF8.self) }
      }
      return nil
    }
  }

  /// Appends `name=value&…`, encoded a second time for the base string (§3.4.1.1).
  func appendEncodedAgain(to bytes: inout [UInt8]) {
    // Encoded text needs no further escape except for its percent signs, each of which becomes three bytes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: buffer.count * 3 + entries.count * 6) { written in
      var count = 0
      func write(_ triple: (UInt8, UInt8, UInt8)) {
        (written[count], written[count + 1], written[count + 2]) = triple
        count += 3
      }
      func write(_ range: Range<Int>) {
        for byte in buffer[range] {
          if byte == UInt8(ascii: "%") {
            write((0x25, 0x32, 0x35))
          } else {
            written[count] = byte
            count += 1
          }
        }
      }
      for (index, entry) in entries.enumerated() {
        if index > 0 { write((0x25, 0x32, 0x36)) }  // %26, an encoded `&`
        write(entry.start..<entry.middle)
        write((0x25, 0x33, 0x44))  // %3D, an encoded `=`
        write(entry.middle..<entry.end)
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: written[..<count]))
    }
  }

  /// Returns less than, equal to or greater than 0, by byte order.
  private static func compare(_ base: UnsafeRawPointer, _ left: Range<Int>, _ right: Range<Int>) -> Int {
    let order = memcmp(base + left.lowerBound, base + right.lowerBound, min(left.count, right.count))
    return order != 0 ? Int(order) : left.count - right.count
  }
}

// MARK: Encoding (RFC 5849 §3.6)
extension EncodedParameters {
  /// Appends the bytes and escapes reserved ones as `%XX`. Writing to a separate buffer first halves the time of a signature.
  static func appendEncoded(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let isDone: Void? = text.withContiguousStorageIfAvailable { text in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 3) { encoded in
        var count = 0
        for byte in text {
          if isUnreserved(byte) {
            encoded[count] = byte
            count += 1
          } else {
            encoded[count] = UInt8(ascii: "%")
            encoded[count + 1] = hexDigit(byte >> 4)
            encoded[count + 2] = hexDigit(byte & 0x0F)
            count += 3
          }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: encoded[..<count]))
      }
    }
    if isDone == nil { for byte in text { appendEncoded(byte, to: &bytes) } }
  }

  @inline(__always)
  static func appendEncoded(_ byte: UInt8, to bytes: inout [UInt8]) {
    if isUnreserved(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
  }

  /// Same as `PercentEncoding.isUnreserved`, but with one bit per ASCII character. Comparisons are slow for keys, in which small and capital
  /// letters alternate.
  @inline(__always)
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    // `-`, `.`, and the digits from 48.
    let low: UInt64 = 1 << 45 | 1 << 46 | 0x3FF << 48
    // The character minus 64: 26 capitals from 1, `_`, 26 small letters from 33, `~`.
    let high: UInt64 = 0x3FF_FFFF << 1 | 1 << 31 | 0x3FF_FFFF << 33 | 1 << 62
    return byte < 0x80 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }

  @inline(__always)
  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }
}
