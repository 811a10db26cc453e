import JSONRPC
import Jansson
import OAuth

/// What `authorize`, `awaitSignIn` and `refresh` answer.
struct AuthorizationResult: Answer {
  static var sample: AuthorizationResult { AuthorizationResult(authorization: .sample, refreshed: false, rehearsal: .sample) }

  enum Status: String, FieldWord { case authorized, pending, dryRun }

  var authorization: Authorization
  /// Told by `refresh` alone.
  var refreshed: Bool?
  /// Told by `authorize` with `dryRun` alone.
  var rehearsal: Rehearsal?

  private var status: Status { rehearsal != nil ? .dryRun : authorization.via == nil ? .pending : .authorized }

  func list(_ members: inout Members) {
    let isPending = authorization.via == nil
    members.add("account", authorization.account, "The name under which the grant is kept.")
    members.add(
      "status", status, "Whether the account can be used, or the user has to sign in first; dryRun if only that was asked for.")
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
    members.add(
      optional: "subjectChanged", authorization.subjectChanged ? true : nil,
      "Whether another user signed in than before, which interaction always allows.")
    members.add(optional: "signIn", authorization.signIn.map(SignInValue.init), "The sign-in that is open.")
    members.add(optional: "refreshed", refreshed, "Whether this call replaced the token.")
    members.add(optional: "dryRun", rehearsal.map(RehearsalValue.init), "What a sign-in would send.")
  }
}

/// What a sign-in would send.
struct RehearsalValue: AnswerValue {
  static var sample: RehearsalValue { RehearsalValue(rehearsal: .sample) }

  var rehearsal: Rehearsal

  func list(_ members: inout Members) {
    members.add(optional: "url", rehearsal.url, "The page that would be opened, where it is known before anything is sent.")
    members.add(optional: "redirectUri", rehearsal.redirectUri, "Where the provider would send the user back to.")
    members.add(
      "requests", rehearsal.steps.map(RehearsedRequest.init), "What would be sent, in order; what only the provider knows is in capitals.")
  }
}

/// One of those requests.
struct RehearsedRequest: AnswerValue {
  static var sample: RehearsedRequest { RehearsedRequest(step: .sample) }

  var step: Rehearsal.Step

  func list(_ members: inout Members) {
    members.add("step", step.name, "What it is for.")
    members.add("method", step.method, "The request's method.")
    members.add("url", step.url, "Where it would go.")
    members.add("headers", step.headers, "Its headers.")
    members.add(optional: "body", step.body, "Its body.")
    members.add(optional: "baseString", step.baseString, "OAuth 1.0a: the text that the step signs, secrets masked (RFC 5849, 3.4.1).")
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
    members.add(optional: "verificationUri", prompt.verificationUri, "The page to type it on, where url knows the code already.")
    members.add("expiresAt", prompt.expiresAt, "When the sign-in is given up, or its page can no longer be opened, in Unix seconds.")
  }
}
