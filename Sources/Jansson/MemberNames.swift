/// The member names of all open objects of a JSON text, innermost last. Finds objects with duplicate members (RFC 8259 §4).
///
/// Names are compared after unescaping: `"a"` and `"\u0061"` are the same name. A `Set` compares them, because its seeded hashes keep a hostile body
/// from making the scan quadratic. They are bytes, because Swift takes canonically equivalent strings for equal.
struct MemberNames {
  private var open: [[UInt8]] = []

  var count: Int { open.count }

  /// Adds a name of the innermost object. The bytes are those between its quotation marks.
  mutating func append(_ name: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
    guard isEscaped else { return open.append(Array(name)) }
    let text = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
    // The scan has accepted the name, so jansson accepts it as well.
    open.append((try? JSON.parse(text).string).map { Array($0.utf8) } ?? Array(name))
  }

  /// Removes the innermost object's names, which start at index `first`. Returns whether they are all different.
  mutating func closeObject(first: Int) -> Bool {
    defer { open.removeSubrange(first...) }
    var seen = Set<[UInt8]>(minimumCapacity: open.count - first)
    return open[first...].allSatisfy { seen.insert($0).inserted }
  }
}
