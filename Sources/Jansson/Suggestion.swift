/// Finds the known name that a caller probably misspelt.
package enum Suggestion {
  /// Returns the name that differs only in case, else the nearest name. The nearest may differ by at most two letters and a third of the written
  /// name. Returns nil if none is near enough.
  package static func of(_ written: String, among names: [String]) -> String? {
    let lowered = Array(written.lowercased().unicodeScalars.prefix(64))
    guard lowered.count > 1 else { return nil }
    let all = names.map { (name: $0, distance: distance(lowered, Array($0.lowercased().unicodeScalars))) }
    guard let near = all.min(by: { $0.distance < $1.distance }), near.distance <= min(2, max(1, lowered.count / 3)) else { return nil }
    return near.name
  }

  /// Returns a question for the end of a message, or an empty string without a suggestion.
  package static func question(_ written: String, among names: [String]) -> String {
    of(written, among: names).map { ": did you mean \"\($0)\"?" } ?? ""
  }

  /// Returns the number of letters to insert, remove, change or swap with their neighbour (optimal string alignment).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var rows = [Array(0...right.count)]
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let changed = rows[row][column] + (left[row] == right[column] ? 0 : 1)
        var least = min(changed, rows[row][column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          least = min(least, rows[row - 1][column - 1] + 1)
        }
        next.append(least)
      }
      rows.append(next)
    }
    return rows[left.count][right.count]
  }
}
