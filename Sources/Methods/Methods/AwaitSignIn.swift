import JSONRPC
import Jansson

/// Waits for a sign-in that was started with `wait: false`.
struct AwaitSignIn: Method {
  static let name = "awaitSignIn"
  static let summary = "Waits for an open sign-in and answers like `authorize`. Its timeout ends only the wait."
  static let errors = Errors.signIn
  static let example: MethodExample? = MethodExample(
    #"{"id":"sFTQoZVDdbxn"}"#,
    #"""
    {"account":"me","status":"authorized","via":"signedIn","grantedScopes":["read"],"tokenType":"Bearer",\#
    "canRefresh":false}
    """#)

  private let id: String
  private let timeout: Int?

  init(_ fields: inout ObjectReader) throws(FieldError) {
    id = try fields.required("id", "The sign-in's ID.")
    timeout = try fields.optional("timeout", in: 1...86_400, "The seconds to wait. Without it, the wait lasts as long as the sign-in.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Authorize.Result {
    let outcome = try await service.accounts.awaitSignIn(id: id, timeout: timeout)
    guard let authorization = outcome else { throw FieldError("/id", "is not the ID of a sign-in") }
    return Authorize.Result(authorization: authorization, refreshed: nil)
  }
}
