/// The deadlines of the transfers, earliest first. A binary heap, so the cost of a step hardly grows with the number of transfers.
struct Deadlines {
  private struct Entry {
    /// Milliseconds of `uptime`, as all times here.
    var instant: Int
    var id: Int
  }

  private var heap: [Entry] = []
  /// The position of each id in the heap. An ended transfer is removed at once: a limit of an hour must not use memory for an hour.
  private var places: [Int: Int] = [:]

  var earliest: Int? { heap.first?.instant }
  var count: Int { heap.count }

  /// Replaces the id's deadline; nil removes it.
  mutating func set(_ instant: Int?, for id: Int) {
    remove(id)
    guard let instant else { return }
    heap.append(Entry(instant: instant, id: id))
    places[id] = heap.count - 1
    rise(heap.count - 1)
  }

  mutating func remove(_ id: Int) {
    guard let place = places.removeValue(forKey: id) else { return }
    let last = heap.removeLast()
    guard place < heap.count else { return }
    put(last, place)
    rise(place)
    sink(place)
  }

  /// Removes and returns an id whose deadline is not after `now`.
  mutating func takeOverdue(at now: Int) -> Int? {
    guard let first = heap.first, first.instant <= now else { return nil }
    remove(first.id)
    return first.id
  }

  private mutating func put(_ entry: Entry, _ place: Int) {
    heap[place] = entry
    places[entry.id] = place
  }

  private mutating func exchange(_ one: Int, _ other: Int) {
    let entry = heap[one]
    put(heap[other], one)
    put(entry, other)
  }

  private mutating func rise(_ place: Int) {
    var place = place
    while place > 0, heap[place].instant < heap[(place - 1) / 2].instant {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ place: Int) {
    var place = place
    while true {
      let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
      guard let child = children.min(by: { heap[$0].instant < heap[$1].instant }), heap[child].instant < heap[place].instant else { return }
      exchange(place, child)
      place = child
    }
  }
}
