import JSONRPC
import Jansson
import OAuth

/// Every event there is.
enum Events {
  static let all: [any Event.Type] = [
    AuthorizationWasSuccessful.self, AccessTokenWasRevoked.self, ResponseFromServiceWasReceived.self, ErrorOccured.self,
    ErrorInResponse.self, SignInWasRequested.self, SignInWasAbandoned.self, AccessTokenWasRefreshed.self, ProgressWasMade.self,
    BodyChunkWasReceived.self,
  ]

  static var names: [String] { all.map { $0.name } }

  /// Tells what happened to an account, under the original delegate's names.
  static func notify(_ event: AccountEvent, to notifier: Notifier) {
    switch event.fact {
    case .authorized(let authorization):
      notifier.notify(AuthorizationWasSuccessful(authorization: authorization, request: event.cause))
    case .signInRequested(let prompt): notifier.notify(SignInWasRequested(account: event.account, request: event.cause, prompt: prompt))
    case .signInAbandoned(let id, let reason):
      notifier.notify(SignInWasAbandoned(account: event.account, request: event.cause, signIn: id, reason: reason))
    case .refreshed(let expiresAt, let changed):
      notifier.notify(
        AccessTokenWasRefreshed(account: event.account, request: event.cause, expiresAt: expiresAt, refreshTokenChanged: changed))
    case .revoked(let revocation):
      notifier.notify(AccessTokenWasRevoked(account: event.account, request: event.cause, revocation: revocation))
    case .failed(let failure): notifier.notify(ErrorOccured(failure, account: event.account, request: event.cause))
    }
  }
}

extension Members {
  /// The members that every event has.
  mutating func add(account: String?, request: JSON?) {
    add(optional: "account", account, "The account that it is about.")
    add(optional: "request", request, "The id of the request that caused it.")
  }
}

struct AuthorizationWasSuccessful: Event {
  static let name = "authorizationWasSuccessful"
  static let summary = "The account can be used; told for a stored grant as well."
  static var sample: AuthorizationWasSuccessful { .init(authorization: .sample, request: .null) }

  var authorization: Authorization
  var request: JSON?

  func list(_ members: inout Members) {
    members.add(account: authorization.account, request: request)
    members.add("grantedScopes", authorization.grantedScopes, "What was granted.")
    members.add(optional: "expiresAt", authorization.expiresAt, "When the access token ends, in Unix seconds.")
    members.add("via", authorization.via ?? .stored, "Whether the grant was stored, refreshed or signed in for.")
    members.add(
      optional: "subjectChanged", authorization.subjectChanged ? true : nil,
      "Whether another user signed in than before, which interaction always allows.")
  }
}

struct AccessTokenWasRevoked: Event {
  static let name = "accessTokenWasRevoked"
  static let summary = "The grant was forgotten, and taken back as far as `remote` says."
  static var sample: AccessTokenWasRevoked { .init(account: "", request: .null, revocation: .sample) }

  var account: String
  var request: JSON?
  var revocation: Revocation

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    revocation.list(&members)
  }
}

struct ErrorOccured: Event {
  static let name = "errorOccuredWithShortDescription"
  static let summary = "Something that was asked for failed (spelt as the original delegate spelt it)."
  static var sample: ErrorOccured { .init(OAuthFailure(.timedOut, ""), account: "", request: .null) }

  var account: String?
  var request: JSON?
  var shortDescription: String
  var errorDetails: String
  var kind: String

  init(_ failure: OAuthFailure, account: String?, request: JSON?) {
    self.account = account
    self.request = request
    (shortDescription, errorDetails, kind) = (failure.kind.meaning, failure.message.plain, failure.kind.rawValue)
  }

  /// A notification that broke the protocol's rules or a method's.
  init(rejecting error: RPCError) {
    let kinds = [
      RPCError.methodNotFoundCode: "methodNotFound", RPCError.invalidParamsCode: "invalidParams",
      RPCError.internalErrorCode: "internalError",
    ]
    (shortDescription, errorDetails, kind) = ("a notification was rejected", error.message, kinds[error.code] ?? "invalidRequest")
  }

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("shortDescription", shortDescription, "One sentence.")
    members.add("errorDetails", errorDetails, "One sentence about this very failure.")
    members.add(
      "kind", kind,
      "The error's kind; of a notification that was rejected also methodNotFound, invalidParams, invalidRequest or internalError.")
  }
}

struct SignInWasRequested: Event {
  static let name = "signInWasRequested"
  static let summary = "The user has to open this page."
  static var sample: SignInWasRequested { .init(account: "", request: .null, prompt: .sample) }

  var account: String
  var request: JSON?
  var prompt: SignInPrompt

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("signIn", prompt.id, "The sign-in's id.")
    members.add("url", prompt.url, "The page to open.")
    members.add(optional: "userCode", prompt.userCode, "The code to type there.")
    members.add(optional: "verificationUri", prompt.verificationUri, "The page to type it on, where url knows the code already.")
    members.add("expiresAt", prompt.expiresAt, "When the sign-in is given up, or its page can no longer be opened, in Unix seconds.")
    members.add(
      optional: "opened", prompt.opened, "false where no browser could be started: show the url to the user.")
    members.add(
      optional: "reason", prompt.reason, "Why the same sign-in asks once more: refreshTokenMissing, since one was wanted and none came.")
  }
}

struct SignInWasAbandoned: Event {
  static let name = "signInWasAbandoned"
  static let summary = "A sign-in was cancelled, timed out, or ended with the input."
  static var sample: SignInWasAbandoned { .init(account: "", request: .null, signIn: "", reason: "") }

  var account: String
  var request: JSON?
  var signIn: String
  var reason: String

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add("signIn", signIn, "The sign-in's id.")
    members.add("reason", reason, "cancelled, timedOut or ended.")
  }
}

struct AccessTokenWasRefreshed: Event {
  static let name = "accessTokenWasRefreshed"
  static let summary = "A new access token was kept."
  static var sample: AccessTokenWasRefreshed { .init(account: "", request: .null, expiresAt: 0, refreshTokenChanged: false) }

  var account: String
  var request: JSON?
  var expiresAt: Int?
  var refreshTokenChanged: Bool

  func list(_ members: inout Members) {
    members.add(account: account, request: request)
    members.add(optional: "expiresAt", expiresAt, "When it ends, in Unix seconds.")
    members.add("refreshTokenChanged", refreshTokenChanged, "Whether the refresh token was replaced as well.")
  }
}
