/// The member names of all open objects of a JSON text, innermost last. Finds objects with duplicate members (RFC 8259 §4).
///
/// Names are compared after unescaping: `"a"` and `"\u0061"` are the same name. A `Set` compares many, because its seeded hashes keep a hostile body
/// from making the scan quadratic. They are bytes, because Swift takes canonically equivalent strings for equal.
struct MemberNames {
  /// The most names that are compared in pairs, which costs less than a set.
  private static let few = 16

  /// The bytes between the quotation marks.
  private var open: [(bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool)] = []

  var count: Int { open.count }

  /// Adds a name of the innermost object. The bytes are those between its quotation marks.
  mutating func append(_ name: UnsafeBufferPointer<UInt8>, isEscaped: Bool) { open.append((name, isEscaped)) }

  /// Removes the innermost object's names, which start at index `first`. Returns whether they are all different.
  mutating func closeObject(first: Int) -> Bool {
    defer { open.removeSubrange(first...) }
    let names = open[first...]
    if names.count <= Self.few, !names.contains(where: \.isEscaped) {
      return names.indices.allSatisfy { index in !names[..<index].contains { $0.bytes.elementsEqual(names[index].bytes) } }
    }
    var seen = Set<[UInt8]>(minimumCapacity: names.count)
    return names.allSatisfy { seen.insert($0.isEscaped ? Self.unescaped($0.bytes) : Array($0.bytes)).inserted }
  }

  private static func unescaped(_ name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let text = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
    // The scan has accepted the name, so jansson accepts it as well.
    return (try? JSON.parse(text).string).map { Array($0.utf8) } ?? Array(name)
  }
}
