import Calls
import JSONRPC
import Jansson
import Plans
import Store

/// Imports the grant that another program stored.
struct ImportGrant: Method {
  static let name = "importGrant"
  static let errors = Errors.discovery

  private let account: String
  private var input: AuthorizationInput
  private let format: ImportFormat
  private let data: JSON
  private let issuedAt: Int?
  private let replace: Bool

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    input = AuthorizationInput(account: account)
    format = try fields.required("format", "The format of the exported data.")
    data = try fields.required(
      "data",
      "The exported data: a string, or an object with the names of its parts. In the format `json`, a string may also be an "
        + "access token.")
    input.options = try SignInOptions(&fields, in: .imported)
    issuedAt = try fields.optional(
      "issuedAt", "The time when the program received the tokens, in Unix seconds. Without it, `expires_in` counts from now.")
    replace = try fields.optional("replace", default: false, "Whether the grant replaces an existing one.")
  }

  func run(_ call: Call, _ service: Service) async throws -> AccountState {
    try await service.reportingFailure(call, account) {
      let now = service.accounts.now
      let imported = try format.read(data, issuedAt: issuedAt, now: now)
      let stored = StoredGrant(try await service.accounts.importGrant(imported, for: input, replaces: replace))
      let configured = try service.configuration.isForClient(account)
      return AccountState(account: account, stored: stored, key: service.accounts.keySource?.name, configured: configured, now: now)
    }
  }
}
