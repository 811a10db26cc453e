import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Store

/// Moves grants from one store to another.
struct Copy: Method {
  static let name = "copy"
  static let summary =
    "Moves grants from one store to another with the same key. A killed process loses no grant, and another call finishes the move."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(#"{"from":"/home/me/old-store"}"#, #"{"moved":[],"skipped":[]}"#)

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

/// Moves the store's key, and seals every grant with a new one.
struct Rekey: Method {
  static let name = "rekey"
  static let summary =
    "Seals all grants with a new key, which is kept at another place. A killed process or a full disk loses no grant, and the next call finishes the "
    + "move. "
    + "An old key in the keyring is deleted, so it no longer opens copies of the folder."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(#"{"to":"file"}"#, #"{"key":"file","grants":1}"#)

  /// The place of the key. The command that prints it is an option of the process.
  enum Place: String, StringEnum {
    case file, keyring, command

    var documentation: String {
      switch self {
      case .file: "A file beside the grants. It protects against a stolen grant file, but not against a stolen folder."
      case .keyring: "The user's keyring: the Secret Service, or the Keychain on macOS."
      case .command: "The output of the command that `--key` or the configuration names. The command prints 32 bytes in base64."
      }
    }
  }

  private let place: Place

  init(_ fields: inout ObjectReader) throws(FieldError) { place = try fields.required("to", "The new place of the key.") }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, nil) {
      // The key seals the grants of all accounts.
      guard service.limits.accounts == nil else { throw Limits.failure(.accounts, "rekey changes all accounts") }
      let grants = try await service.accounts.moveKey(to: try source(service))
      return Result(key: place, grants: grants)
    }
  }

  /// Returns the place, which must be the one that `--key` or the configuration wants.
  private func source(_ service: Service) throws -> KeySource {
    let wanted = try service.configuration.wantedKey()
    if let wanted {
      guard wanted.name == place.rawValue else {
        throw FieldError("/to", "must be \(wanted.name), because --key or the configuration says so")
      }
      return wanted
    }
    switch place {
    case .file: return .file
    case .keyring: return .keyring
    case .command: throw FieldError("/to", "needs a command: give it before rekey with --key command:…")
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(key: .file, grants: 0) }

    var key: Place
    var grants: Int

    func list(_ members: inout ObjectWriter) {
      members.add("key", key, "The place of the key.")
      members.add("grants", grants, "The number of grants that the new key seals.")
    }
  }
}
