/// Lets the same line through once a second and counts the others, because a page in the user's browser can cause hundreds a second.
struct RepeatedLines {
  private static let pause = Duration.seconds(1)
  /// Different lines that are remembered at a time; of more, the oldest is forgotten.
  private static let limit = 64

  private struct Entry {
    var line: String
    var shown: ContinuousClock.Instant
    var heldBack = 0

    var repeated: String { "\(line) (\(heldBack) times more)" }
  }

  private var entries: [Entry] = []

  /// How many lines were held back and not told of yet; 0 from then on.
  mutating func takeCount() -> Int {
    defer { entries = [] }
    return entries.reduce(0) { $0 + $1.heldBack }
  }

  /// The lines to write now: `line` unless it was shown within a second, and what was held back of others before.
  mutating func pass(_ line: String, at now: ContinuousClock.Instant) -> [String] {
    var lines: [String] = []
    if let index = entries.firstIndex(where: { $0.line == line }) {
      guard now - entries[index].shown >= Self.pause else {
        entries[index].heldBack += 1
        return []
      }
      let entry = entries.remove(at: index)
      lines.append(entry.heldBack > 0 ? entry.repeated : line)
    } else {
      lines.append(line)
    }
    lines = entries.filter { $0.heldBack > 0 && now - $0.shown >= Self.pause }.map(\.repeated) + lines
    entries.removeAll { now - $0.shown >= Self.pause }
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(line: line, shown: now))
    return lines
  }
}
