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
    input.redirectUri = try fields.optional(
      "redirectUri", "The redirect URI: a loopback address, or a URI that the client receives itself.")
    input.opensBrowser = try fields.optional(
      "openBrowser",
      "Whether the process opens the page. Without it, the account's configuration decides, or the capability `openUrl` of "
        + "`initialize`.")
    input.waits = try fields.optional("wait", default: true, "Whether the answer waits for the end of the sign-in.")
    input.timeout = try fields.optional(
      "timeout", in: 1...86_400,
      "The seconds after which the sign-in ends. Without it, the account's configuration decides, or 300 applies.")
    input.parameters = try fields.optional(
      "parameters", "Extra parameters of the authorization request. The process adds `login_hint` itself.")
    (input.account, input.scopes) = (account, scopes)
    if !fields.isDescribing {
      if scopes.isEmpty { throw FieldError(fields.pointer("scopes"), "must not be empty") }
      try AuthorizationInput.check(scopes: scopes, at: fields.pointer("scopes"))
      try AuthorizationInput.check(parameters: input.parameters, at: fields.pointer("parameters"))
      if let uri = input.redirectUri { try Authorize.check(uri, at: fields.pointer("redirectUri")) }
    }
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    try await service.reportingFailure(call, input.account, within: input.timeout) {
      Authorize.Result(authorization: try await service.accounts.addScopes(service.completed(input, call)), refreshed: nil)
    }
  }
}
