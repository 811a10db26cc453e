import JSONRPC
import Jansson
import OAuth

/// Hands a whole grant out, for a program that takes over; only where the user has started the process for it.
struct ExportGrant: TaskMethod {
  static let name = "exportGrant"
  static let summary = "The account's tokens as a token answer, which importGrant takes again; only when started with --allow-export."

  private let account: String

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      guard service.allowsExport else {
        throw OAuthFailure(
          .configurationInvalid, "grants are given out only by a process that was started with --allow-export",
          details: [.init("path", "--allow-export")], account: account)
      }
      return Result(grant: try await service.accounts.exported(account), now: service.accounts.now)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(grant: .sample, now: 0) }

    var grant: Grant
    var now: Int

    func list(_ members: inout Members) {
      members.add("account", grant.account, "The account.")
      members.add("format", ImportFormat.json, "What importGrant has to be told of the data.")
      members.add("data", grant.tokenAnswer(at: now), "The token answer; any program that has it can use the account.")
      members.add("clientId", grant.client.id, "The client that it was granted to.")
      members.add(optional: "provider", grant.providerName.isEmpty ? nil : grant.providerName, "What people call the provider.")
      members.add(optional: "preset", grant.preset, "The provider's name for importGrant, where it has one.")
      members.add("description", grant.exportedProvider, "The provider's description, which importGrant takes as its provider.")
    }
  }
}
