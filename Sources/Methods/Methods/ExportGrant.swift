import Calls
import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Store

/// Returns a whole grant, for a program that takes over. Requires that the user started the process with `--allow-export`.
struct ExportGrant: Method {
  static let name = "exportGrant"
  static let errors = Errors.stored + Errors.names(.signInRequired, .unsupportedByProvider)

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) { account = try fields.account() }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account) {
      guard service.allowsExport else {
        throw OAuthFailure(
          .configurationInvalid, "exportGrant works only in a process that was started with --allow-export",
          details: [.init("path", "--allow-export")], account: account)
      }
      let grant = try await service.accounts.exported(account)
      if grant.dpopKey != nil { _ = try grant.bareToken() }
      try await service.accounts.recordUse(account, by: Self.name, within: Accounts.defaultTimeoutSeconds)
      return Result(grant: grant, now: service.accounts.now)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(grant: .sample, now: 0) }

    var grant: Grant
    var now: Int

    func list(_ members: inout ObjectWriter) {
      members.add("account", grant.account, "The account's name.")
      members.add("format", ImportFormat.json, "The format of the data for `importGrant`.")
      members.add("data", grant.tokenResponse(at: now), "The token response. A program that has it can use the account.")
      members.add("clientId", grant.client.id, "The ID of the client with the grant.")
      members.add(optional: "provider", grant.providerName.isEmpty ? nil : grant.providerName, "The provider's name for users.")
      members.add(optional: "preset", grant.preset, "The provider's name for `importGrant`, if it has one.")
      members.add("description", grant.exportedProvider, "The provider's description for `importGrant`.")
    }
  }
}
