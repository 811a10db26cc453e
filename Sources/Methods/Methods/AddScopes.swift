import JSONRPC
import Jansson
import OAuth

/// Asks the account's user for scopes beyond those granted.
struct AddScopes: Method {
  static let name = "addScopes"
  static let summary =
    "Requests scopes in addition to the granted ones. It succeeds at once if none is missing. Only the account's own user "
    + "may grant them."
  static let errors = Errors.asking
  static let example: MethodExample? = MethodExample(
    #"{"account":"me","scopes":["read","write"]}"#,
    #"""
    {"account":"me","status":"authorized","via":"stored","grantedScopes":["openid","email","read","write"],\#
    "tokenType":"Bearer","canRefresh":true,"subject":"u-1","email":"u1@example.org"}
    """#)

  private var input = AuthorizationInput()

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let account = try fields.account()
    let scopes: [String] = try fields.required("scopes", "The scopes to request in addition to the granted ones.")
    try input.readPage(&fields)
    input.waits = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
    input.timeout = try fields.optional(
      "timeout", in: 1...86_400,
      "The seconds after which the sign-in ends. Without it, the account's configuration decides, or 300 applies.")
    input.parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request. The process adds `login_hint` itself.")
    (input.account, input.scopes) = (account, scopes)
    if scopes.isEmpty, !fields.isDescribing { throw FieldError(fields.pointer("scopes"), "must not be empty") }
    try input.check(fields)
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    try await service.reportingFailure(call, input.account, within: input.timeout) {
      Authorize.Result(authorization: try await service.accounts.addScopes(service.completed(input, call)), refreshed: nil)
    }
  }
}
