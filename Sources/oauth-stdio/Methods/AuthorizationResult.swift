import JSONRPC
import Jansson
import OAuth

/// What `authorize`, `awaitSignIn` and `refresh` answer.
struct AuthorizationResult: Answer {
  static var sample: AuthorizationResult { AuthorizationResult(authorization: .sample, refreshed: false) }

  enum Status: String, FieldWord { case authorized, pending, dryRun }

  var authorization: Authorization
  /// Told by `refresh` alone.
  var refreshed: Bool?

  func list(_ members: inout Members) {
    let isPending = authorization.via == nil
    members.add("account", authorization.account, "The name under which the grant is kept.")
    let status = authorization.rehearsal != nil ? Status.dryRun : isPending ? .pending : .authorized
    members.add("status", status, "Whether the account can be used, or somebody has to sign in first; dryRun where nothing was done.")
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
    members.add(optional: "dryRun", authorization.rehearsal.map(RehearsalValue.init), "What a sign-in would do, secrets masked.")
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

/// What a sign-in would do.
struct RehearsalValue: AnswerValue {
  static var sample: RehearsalValue { RehearsalValue(rehearsal: .sample) }

  var rehearsal: Rehearsal

  func list(_ members: inout Members) {
    members.add("url", rehearsal.url, "The page that would be opened; … stands for what is secret or made anew each time.")
    members.add("redirectUri", rehearsal.redirectUri, "Where the provider would send the user; port 0 stands for a free one.")
    members.add("requests", rehearsal.steps.map(StepValue.init), "The requests that would follow, in their order.")
  }

  struct StepValue: AnswerValue {
    static var sample: StepValue { StepValue(step: .sample) }

    var step: Rehearsal.Step

    func list(_ members: inout Members) {
      members.add("purpose", step.purpose, "code, refresh, revoke or api.")
      members.add("method", step.method, "The method.")
      members.add("url", step.url, "The URL.")
      members.add("headers", NamedValues(step.headers.map { ($0.name, $0.value) }), "The headers.")
      members.add(optional: "body", step.body, "The body.")
    }
  }
}
