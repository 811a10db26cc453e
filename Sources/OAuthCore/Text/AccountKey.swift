/// An account name compared by its bytes, as file names are. Swift treats canonically equivalent strings as equal.
package struct AccountKey: Hashable, Sendable {
  private let bytes: [UInt8]

  package init(_ name: String) { bytes = Array(name.utf8) }
}
