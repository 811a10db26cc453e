import JSONRPC
import Jansson
import OAuthCore
import Plans
import Store

/// Moves the store's key, and seals every grant with a new one.
struct Rekey: Method {
  static let name = "rekey"
  static let errors = Errors.stored

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
