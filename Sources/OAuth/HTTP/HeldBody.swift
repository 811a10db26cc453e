/// The beginning of a success that a service may yet call an error inside: kept from the file or stream that it is for until it has ended.
struct HeldBody {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Forms of many objects one after another, each of which is wanted as soon as it comes.
  private static let sequences = ["ndjson", "jsonl", "json-seq", "json-lines", "stream"]

  let limit: Int
  private(set) var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// False where this is no JSON object, or too large a one: what has been kept is then to be let go.
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
