/// The member names of all open objects of a JSON text, innermost last. Finds objects with duplicate members (RFC 8259 §4).
///
/// Names are compared after unescaping: `"a"` and `"\u0061"` are the same name. A `Set` compares them, because its seeded hashes keep a hostile body
/// from making the scan quadratic.
struct MemberNames {
  /// One name, either in the text, which outlives it, or unescaped.
  private enum Name: Hashable {
    case plain(UnsafeBufferPointer<UInt8>)
    case unescaped(String)

    static func == (left: Name, right: Name) -> Bool { left.withBytes { left in right.withBytes { left.elementsEqual($0) } } }

    func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) } }

    private func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
      switch self {
      case .plain(let bytes): return body(bytes)
      case .unescaped(var text): return text.withUTF8(body)
      }
    }
  }

  private var open: [Name] = []

  var count: Int { open.count }

  /// Adds a name of the innermost object. The bytes are those between its quotation marks.
  mutating func append(_ name: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
    guard isEscaped else { return open.append(.plain(name)) }
    let text = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
    // The scan has accepted the name, so jansson accepts it as well.
    open.append((try? JSON.parse(text).string).map(Name.unescaped) ?? .plain(name))
  }

  /// Removes the innermost object's names, which start at index `first`. Returns whether they are all different.
  mutating func closeObject(first: Int) -> Bool {
    defer { open.removeSubrange(first...) }
    var seen = Set<Name>(minimumCapacity: open.count - first)
    return open[first...].allSatisfy { seen.insert($0).inserted }
  }
}
