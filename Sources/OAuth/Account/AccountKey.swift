/// An account's name as a key: by its bytes, as files are named, since strings that only look alike are equal in Swift.
struct AccountKey: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = Array(name.utf8) }
}
