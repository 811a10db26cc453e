import JSONRPC
import Jansson
import Store

/// Moves grants from one store to another.
struct Copy: Method {
  static let name = "copy"
  static let errors = Errors.stored

  private let source: String?
  private let target: String?
  private let replaces: Bool
  private let keepsSource: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    source = try fields.optional(
      "from", "The store with the grants: a folder's absolute path or a `postgresql://` URI. Without it, the process's own store.")
    target = try fields.optional("to", "The store that gets the grants. Without it, the process's own store.")
    replaces = try fields.optional("replace", default: false, "Whether a grant replaces another one of its account.")
    keepsSource = try fields.optional(
      "keep", default: false,
      "Whether the first store keeps its grants. Most providers revoke a grant that is refreshed from two stores.")
    guard !fields.isDescribing else { return }
    for (name, store) in [("from", source), ("to", target)] {
      guard let store, !PostgresStore.isURI(store), !store.hasPrefix("/") || store.utf8.contains(0) else { continue }
      throw FieldError(fields.pointer(name), "must be an absolute path or a postgresql:// URI")
    }
    if source == nil, target == nil {
      throw FieldError(fields.pointer("from"), "is missing: it names the store with the grants, and --to the one that gets them")
    }
    if source == target { throw FieldError(fields.pointer("to"), "must differ from `from`") }
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, nil) {
      // An unsaved grant holds its account's lock.
      await service.accounts.saveAll()
      let copy = GrantCopy(
        from: try service.stores.open(source), to: try service.stores.open(target), replaces: replaces, keepsSource: keepsSource)
      let outcome = try await copy.run { service.limits.allows(account: $0) }
      return Result(moved: outcome.moved, skipped: outcome.skipped)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(moved: [], skipped: []) }

    var moved: [String]
    var skipped: [String]

    func list(_ members: inout ObjectWriter) {
      members.add("moved", moved, "The accounts whose grants are now in the other store.")
      members.add("skipped", skipped, "The accounts that have another grant there. `replace` replaces it.")
    }
  }
}
