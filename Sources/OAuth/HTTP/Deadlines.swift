/// The instants at which transfers run out of time, the earliest first: a binary heap, so that many transfers cost each step no more than a few.
struct Deadlines {
  private struct Entry {
    var instant: ContinuousClock.Instant
    var id: Int
  }

  private var heap: [Entry] = []
  /// Where each id stands in the heap, so that one that has ended leaves at once: a limit of an hour must not stay in memory for an hour.
  private var places: [Int: Int] = [:]

  var earliest: ContinuousClock.Instant? { heap.first?.instant }
  var count: Int { heap.count }

  /// Replaces the id's earlier instant; nil removes it.
  mutating func set(_ instant: ContinuousClock.Instant?, for id: Int) {
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

  /// An id whose instant is not after `now`; it is removed.
  mutating func takeOverdue(at now: ContinuousClock.Instant) -> Int? {
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
