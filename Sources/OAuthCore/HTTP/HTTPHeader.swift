/// One header field. Order and repetitions are preserved; names are case-insensitive (RFC 9110, 5.1).
package struct HTTPHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

  /// Whether the field has this name. `other` must be in lower case.
  package func isNamed(_ other: String) -> Bool {
    let (name, other) = (name.utf8, other.utf8)
    return name.count == other.count && name.elementsEqual(other) { $0 == $1 || ((0x41...0x5A).contains($0) && $0 | 0x20 == $1) }
  }
}
