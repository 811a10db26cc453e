/// Bytes to look for in a text, prepared once for any number of texts (Knuth, Morris and Pratt, 1977).
///
/// A server chooses the texts. Each byte of a text is looked at once, and none is compared again after a mismatch, so no text makes the search slow.
package struct BytePattern: Sendable {
  package let bytes: [UInt8]
  /// For each beginning of the pattern: the length of the longest shorter beginning that is also its end.
  private let borders: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var borders: [Int] = []
    borders.reserveCapacity(bytes.count)
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      if index > 0 { matched = Self.next(matched, byte, bytes, borders) }
      borders.append(matched)
    }
    self.borders = borders
  }

  /// Returns where the pattern begins in the text, from left to right and without overlaps.
  package func places(in text: some Sequence<UInt8>) -> [Int] {
    guard !bytes.isEmpty else { return [] }
    var places: [Int] = []
    var (matched, end) = (0, 0)
    for byte in text {
      end += 1
      matched = Self.next(matched, byte, bytes, borders)
      guard matched == bytes.count else { continue }
      places.append(end - matched)
      matched = 0
    }
    return places
  }

  /// Returns the text with `mark` in each place of the pattern.
  package func replaced(in text: [UInt8], by mark: some Collection<UInt8>) -> [UInt8] {
    guard text.count >= bytes.count else { return text }
    let places = places(in: text)
    guard !places.isEmpty else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var end = 0
    for place in places {
      result += text[end..<place]
      result += mark
      end = place + bytes.count
    }
    return result + text[end...]
  }

  /// Returns how many bytes of the pattern match at the end of the text after one more byte.
  private static func next(_ matched: Int, _ byte: UInt8, _ bytes: [UInt8], _ borders: [Int]) -> Int {
    var matched = matched
    while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
    return bytes[matched] == byte ? matched + 1 : 0
  }
}
