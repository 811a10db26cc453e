import JSONRPC
import Jansson
import Plans

/// Asks the account's user for scopes beyond those granted.
struct AddScopes: Method {
  static let name = "addScopes"
  static let errors = Errors.asking

  private var input: AuthorizationInput

  init(_ fields: inout ObjectReader) throws(FieldError) {
    input = AuthorizationInput(account: try fields.account())
    input.options = try SignInOptions(&fields, in: .addScopes)
    if input.scopes == [], !fields.isDescribing { throw FieldError(fields.pointer("scopes"), "must not be empty") }
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    try await service.reportingFailure(call, input.account, within: input.options.timeout) {
      Authorize.Result(authorization: try await service.accounts.addScopes(service.completed(input, call)), refreshed: nil)
    }
  }
}
