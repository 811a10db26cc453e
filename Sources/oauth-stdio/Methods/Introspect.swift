import JSONRPC
import Jansson
import OAuth

/// What the authorization server knows of the access token (RFC 7662).
struct Introspect: TaskMethod {
  static let name = "introspect"
  static let summary = "What the authorization server knows of the account's access token: whether it is active, and what it is good for."

  private let account: String
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.telling(call, account) {
      let state = try await service.accounts.inTime(account, timeout, undone: "the authorization server did not answer") {
        try await service.accounts.introspect(account)
      }
      return Result(account: account, active: state.isActive, claims: state.claims)
    }
  }

  struct Result: Answer {
    static var sample: Result { Result(account: "", active: true, claims: .object([])) }

    var account: String
    var active: Bool
    var claims: JSON

    func list(_ members: inout Members) {
      members.add("account", account, "The account that was asked for.")
      members.add("active", active, "Whether the access token can be used.")
      members.add("claims", claims, "The server's own object, as it came.")
    }
  }
}
