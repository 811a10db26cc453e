import JSONRPC
import Jansson

/// Returns what the authorization server says about the access token (RFC 7662).
struct Introspect: Method {
  static let name = "introspect"
  static let errors = Errors.token

  private let account: String
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, account, within: timeout) {
      let state = try await service.accounts.withinTimeout(account, timeout, undone: "the authorization server did not answer") {
        let tokens = try service.accounts.tokens(of: account)
        return try await tokens.login.introspect(tokens.present(requestID: call.id?.json))
      }
      return Result(account: account, active: state.isActive, claims: state.claims)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(account: "", active: true, claims: .object([])) }

    var account: String
    var active: Bool
    var claims: JSON

    func list(_ members: inout ObjectWriter) {
      members.add("account", account, "The account's name.")
      members.add("active", active, "Whether the access token is usable.")
      members.add("claims", claims, "The server's own object, unchanged.")
    }
  }
}
