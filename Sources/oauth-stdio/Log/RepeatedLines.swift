/// Passes an identical line once a second and counts the rest, because a page in the user's browser can cause hundreds a second.
struct RepeatedLines {
  /// Milliseconds.
  private static let pause = 1000
  /// The number of different lines remembered at a time. Beyond it, the oldest line is forgotten.
  private static let limit = 64

  private struct Entry {
    var line: String
    /// Milliseconds of the monotonic clock.
    var shown: Int
    var heldBack = 0

    var repeated: String { "\(line) (\(heldBack) times more)" }
  }

  private var entries: [Entry] = []

  /// Returns the number of lines held back and not yet reported, and resets it to 0.
  mutating func takeCount() -> Int {
    defer { entries = [] }
    return entries.reduce(0) { $0 + $1.heldBack }
  }

  /// Returns the lines to write now: first the repeated lines whose second is over, then `line` unless it was shown within the last second.
  mutating func pass(_ line: String, at now: Int) -> [String] {
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
