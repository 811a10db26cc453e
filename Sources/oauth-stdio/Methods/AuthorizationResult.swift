import JSONRPC
import Jansson
import OAuth

/// What `authorize`, `awaitSignIn` and `refresh` answer.
struct AuthorizationResult: Answer {
  static var sample: AuthorizationResult { AuthorizationResult(authorization: .sample, refreshed: false) }

  enum Status: String, FieldWord { case authorized, pending }

  var authorization: Authorization
  /// Told by `refresh` alone.
  var refreshed: Bool?

  func list(_ members: inout Members) {
    let isPending = authorization.via == nil
    members.add("account", authorization.account, "The name under which the grant is kept.")
    members.add("status", isPending ? Status.pending : .authorized, "Whether the account can be used, or somebody has to sign in first.")
    members.add(optional: "via", authorization.via, "Whether the grant was stored, refreshed or signed in for.")
    members.add(optional: "grantedScopes", isPending ? nil : authorization.grantedScopes, "What was granted.")
    members.add(
      optional: "missingScopes", authorization.missingScopes.isEmpty ? nil : authorization.missingScopes,
      "What was asked for and not granted.")
    members.add(optional: "tokenType", authorization.tokenType, "How the access token is presented.")
    members.add(optional: "expiresAt", authorization.expiresAt, "When the access token ends, in Unix seconds.")
    members.add("canRefresh", authorization.canRefresh, "Whether it can be replaced without anybody signing in.")
    members.add(optional: "subject", authorization.subject, "Who signed in.")
    members.add(optional: "email", authorization.email, "Their address.")
    members.add(optional: "signIn", authorization.signIn.map(SignInValue.init), "The sign-in that is open.")
    members.add(optional: "refreshed", refreshed, "Whether this call replaced the token.")
  }
}

/// The sign-in that somebody has to finish.
struct SignInValue: AnswerValue {
  static var sample: SignInValue { SignInValue(prompt: .sample) }

  var prompt: SignInPrompt

  func list(_ members: inout Members) {
    members.add("id", prompt.id, "For awaitSignIn.")
    members.add("url", prompt.url, "The page to open.")
    members.add(optional: "userCode", prompt.userCode, "The code to type there.")
    members.add("expiresAt", prompt.expiresAt, "When the sign-in is given up, in Unix seconds.")
  }
}
