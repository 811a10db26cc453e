/// The start of a successful response that may contain a service's error. It is held back from its file or stream until it is complete.
struct ResponsePeek {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Media types with a sequence of objects. Callers want each object as soon as it arrives.
  private static let sequences = ["ndjson", "jsonl", "json-seq", "json-lines", "stream"]

  let limit: Int
  private(set) var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds a piece. Returns false if the body is not a JSON object, or is too large; the caller then releases the held bytes.
  mutating func take(_ piece: UnsafeRawBufferPointer, _ head: ResponseHead) -> Bool {
    guard piece.count <= limit - bytes.count, head.length ?? 0 <= limit else { return false }
    if bytes.isEmpty {
      let type = head.headers.last { $0.isNamed("content-type") }?.value.lowercased() ?? ""
      guard !Self.sequences.contains(where: { type.contains($0) }) else { return false }
    }
    bytes.append(contentsOf: piece)
    if mayBeObject { return true }
    bytes.removeLast(piece.count)
    return false
  }

  private var mayBeObject: Bool {
    let text = bytes.starts(with: Self.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return true }
    return first == UInt8(ascii: "{")
  }
}
