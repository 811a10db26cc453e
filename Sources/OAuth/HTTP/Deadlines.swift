/// The deadlines of the transfers, earliest first. Finding one takes a number of steps that hardly grows with the number of transfers.
struct Deadlines {
  /// In milliseconds of `uptime`, as all times here.
  private typealias Entry = (instant: Int, id: Int)

  /// Latest first, so that the earliest is removed without moving the others.
  private var sorted: [Entry] = []
  /// The instant of each id. An ended transfer is removed at once: a limit of an hour must not use memory for an hour.
  private var instants: [Int: Int] = [:]

  var earliest: Int? { sorted.last?.instant }
  var count: Int { sorted.count }

  /// Replaces the id's deadline; nil removes it.
  mutating func set(_ instant: Int?, for id: Int) {
    remove(id)
    guard let instant else { return }
    instants[id] = instant
    sorted.insert((instant, id), at: place(of: (instant, id)))
  }

  mutating func remove(_ id: Int) {
    guard let instant = instants.removeValue(forKey: id) else { return }
    sorted.remove(at: place(of: (instant, id)))
  }

  /// Removes and returns an id whose deadline is not after `now`.
  mutating func takeOverdue(at now: Int) -> Int? {
    guard let first = sorted.last, first.instant <= now else { return nil }
    remove(first.id)
    return first.id
  }

  /// Returns the index of the entry, or where it belongs.
  private func place(of entry: Entry) -> Int {
    var range = 0..<sorted.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = sorted[middle] > entry ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
