/// Finds a method by its name.
///
/// Not a dictionary: to make such a type, the runtime looks through all of the program's conformances, a fifth of the way to the first answer.
struct MethodTable<Context: Sendable>: Sendable {
  private let entries: [MethodEntry<Context>]
  /// The first entry whose name falls into a slot, and for each entry the next that falls into its own; -1 where there is none.
  private var first: [Int]
  private var next: [Int]
  /// Several times as many as there are methods.
  private static var slots: Int { 128 }

  init(_ entries: [MethodEntry<Context>]) {
    self.entries = entries
    first = Array(repeating: -1, count: Self.slots)
    next = Array(repeating: -1, count: entries.count)
    for index in entries.indices.reversed() {
      let slot = Self.slot(entries[index].name)
      next[index] = first[slot]
      first[slot] = index
    }
  }

  var names: [String] { entries.map(\.name) }

  subscript(_ name: String) -> MethodEntry<Context>? {
    var index = first[Self.slot(name)]
    while index >= 0 {
      if entries[index].name == name { return entries[index] }
      index = next[index]
    }
    return nil
  }

  /// Length and first letter tell nearly all of them apart.
  private static func slot(_ name: String) -> Int {
    (name.utf8.count &* 31 &+ Int(name.utf8.first ?? 0)) & (slots - 1)
  }
}
