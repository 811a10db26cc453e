import Jansson
import OAuth

/// The result of `authorize`, `awaitSignIn` and `refresh`.
struct AuthorizationResult: JSONObjectConvertible {
  static let schemaName: String? = "AuthorizationResult"
  static var sample: AuthorizationResult { AuthorizationResult(authorization: .sample, refreshed: false, dryRun: .sample) }

  enum Status: String, StringEnum {
    static let schemaName: String? = "AuthorizationStatus"

    case authorized, pending, dryRun

    var documentation: String {
      switch self {
      case .authorized: "The account is usable."
      case .pending: "The user must sign in first."
      case .dryRun: "Nothing was sent."
      }
    }
  }

  var authorization: Authorization
  /// Only `refresh` sends this.
  var refreshed: Bool?
  /// Only `authorize` with `dryRun` sends this.
  var dryRun: DryRun?

  private var status: Status { dryRun != nil ? .dryRun : authorization.via == nil ? .pending : .authorized }

  func list(_ members: inout ObjectWriter) {
    let isPending = authorization.via == nil
    members.add("account", authorization.account, "The account's name.")
    members.add(
      "status", status, "The state of the account after the call.")
    members.add(optional: "via", authorization.via, "The origin of the grant.")
    members.add(optional: "grantedScopes", isPending ? nil : authorization.grantedScopes, "The granted scopes.")
    members.add(
      optional: "missingScopes", authorization.missingScopes.isEmpty ? nil : authorization.missingScopes,
      "The requested scopes that were not granted.")
    members.add(optional: "tokenType", authorization.tokenType, "The access token's type.")
    members.add(optional: "expiresAt", authorization.expiresAt, "The end of the access token, in Unix seconds.")
    members.add("canRefresh", authorization.canRefresh, "Whether the process can replace the access token without a sign-in.")
    members.add(optional: "subject", authorization.subject, "The user's identifier at the provider.")
    members.add(optional: "email", authorization.email, "The user's e-mail address.")
    members.add(
      optional: "subjectChanged", authorization.subjectChanged ? true : nil,
      "Whether another user signed in than before. Only `interaction` `always` allows that.")
    members.add(optional: "signIn", authorization.signIn, "The open sign-in of the account.")
    members.add(optional: "refreshed", refreshed, "Whether this call replaced the token.")
    members.add(optional: "dryRun", dryRun, "The requests that a sign-in would send.")
  }
}
