import Calls
import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// All events.
package enum Events {
  static let all: [any Event.Type] = [
    AuthorizationWasSuccessful.self, AccessTokenWasRevoked.self, ResponseFromServiceWasReceived.self, ErrorOccured.self,
    ErrorInResponse.self, SignInWasRequested.self, SignInWasAbandoned.self, AccessTokenWasRefreshed.self, ProgressWasMade.self,
    BodyChunkWasReceived.self, AccountWasChanged.self,
  ]

  package static var names: [String] { all.map { $0.name } }
}

extension Notifier: EventSink {
  package var reportsChanges: Bool { sends(AccountWasChanged.self) }

  package func report(_ failure: OAuthFailure) { notify(ErrorOccured(failure, account: nil, request: nil)) }

  /// Sends an account's event.
  package func emit(_ event: AccountEvent) {
    switch event.kind {
    case .authorized(let authorization): notify(AuthorizationWasSuccessful(authorization: authorization, request: event.requestID))
    case .signInRequested(let prompt): notify(SignInWasRequested(account: event.account, request: event.requestID, prompt: prompt))
    case .signInAbandoned(let id, let reason):
      notify(SignInWasAbandoned(account: event.account, request: event.requestID, signIn: id, reason: reason))
    case .refreshed(let expiresAt, let changed):
      notify(
        AccessTokenWasRefreshed(account: event.account, request: event.requestID, expiresAt: expiresAt, refreshTokenChanged: changed))
    case .revoked(let revocation):
      notify(AccessTokenWasRevoked(account: event.account, request: event.requestID, revocation: revocation))
    case .changed(let change, let origin): notify(AccountWasChanged(account: event.account, change: change, origin: origin))
    case .failed(let failure): notify(ErrorOccured(failure, account: event.account, request: event.requestID))
    }
  }
}

extension ObjectWriter {
  /// Adds the members that every event has.
  package mutating func add(account: String?, request: JSON?) {
    add(optional: "account", account, "The account's name.")
    add(optional: "request", request, "The ID of the request that caused the event.")
  }
}

extension APIResponse {
  package static var sample: APIResponse {
    APIResponse(HTTPResponse(status: 200), APIRequest(account: "", url: ""), refreshed: false, attempts: 1)
  }

  /// Adds the body as the member that fits it. While describing, adds all of these members.
  func listBody(_ members: inout ObjectWriter) {
    var text: String?
    var encoding: BodyEncoding?
    var json: JSON?
    var savedTo: String?
    switch body {
    case .text(let bytes): (text, encoding) = (String(decoding: bytes, as: UTF8.self), .utf8)
    case .base64(let value): (text, encoding) = (value, .base64)
    case .json(let bytes): json = .verbatim(bytes)
    case .saved(let path): savedTo = path
    case .streamed: break
    }
    members.add(optional: "body", text, "The body.")
    members.add(optional: "bodyEncoding", encoding, "The encoding of the body.")
    members.add(optional: "json", json, "The body as JSON, if the caller wanted it and every client can parse it.")
    members.add(optional: "jsonOmitted", jsonOmitted, "The reason why there is no `json` although the caller wanted it.")
    members.add(optional: "savedTo", savedTo, "The file with the body.")
  }
}

package struct AuthorizationWasSuccessful: Event {
  package static let name = "authorizationWasSuccessful"
  package static let summary = "The account is usable. A stored grant causes this event too."
  package static var sample: AuthorizationWasSuccessful { .init(authorization: .sample, request: .null) }

  var authorization: Authorization
  var request: JSON?

  /// A stored or refreshed grant is what the user expects.
  package var lines: [String] { authorization.via == .signedIn ? [sentence] : [] }

  package var sentence: String { "\(authorization.account): signed in\(authorization.email.map { " as \($0)" } ?? "")" }

  package func list(_ members: inout ObjectWriter) {
    members.add(account: authorization.account, request: request)
    members.add("grantedScopes", authorization.grantedScopes, "The granted scopes.")
    members.add(optional: "expiresAt", authorization.expiresAt, "When the access token expires, in Unix seconds.")
    members.add("via", authorization.via ?? .stored, "The origin of the grant.")
    members.add(
      optional: "subjectChanged", authorization.subjectChanged ? true : nil,
      "Whether a different user signed in. Only `interaction` `always` allows that.")
  }
}

struct AccessTokenWasRefreshed: Event {
  static let name = "accessTokenWasRefreshed"
  static let summary = "The process stored a new access token."
  static var sample: AccessTokenWasRefreshed { .init(account: "", request: .null, expiresAt: 0, refreshTokenChanged: false) }

  var account: String
  var request: JSON?
  var expiresAt: Int?
  var refreshTokenChanged: Bool

  var lines: [String] { ["\(account): the access token was refreshed"] }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add(optional: "expiresAt", expiresAt, "When the access token expires, in Unix seconds.")
    members.add("refreshTokenChanged", refreshTokenChanged, "Whether the provider replaced the refresh token too.")
  }
}

struct AccessTokenWasRevoked: Event {
  static let name = "accessTokenWasRevoked"
  static let summary = "The process deleted the grant. `remote` says what the provider did."
  static var sample: AccessTokenWasRevoked { .init(account: "", request: .null, revocation: .sample) }

  var account: String
  var request: JSON?
  var revocation: Revocation

  var lines: [String] {
    switch revocation.remote {
    case .revoked: ["\(account): signed out, here and at the provider"]
    case .partial: ["\(account): signed out, but the provider may keep one of the tokens"]
    case .refused:
      ["\(account): signed out here. The provider may still accept the tokens\(revocation.page.map { ": end its session at \($0)" } ?? "")"]
    case .unsupported: ["\(account): signed out here; the provider revoked nothing"]
    }
  }

  func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    revocation.list(&members)
  }
}

package struct AccountWasChanged: Event {
  package static let name = "accountWasChanged"
  package static let summary =
    "An account's grant changed, by a request of this process or by another process with the same store. A change that "
    + "`account` or `accounts` has already shown causes no event."
  package static var sample: AccountWasChanged { .init(account: "", change: .signedIn, origin: .here) }

  var account: String
  var change: AccountEvent.Change
  var origin: AccountEvent.Origin

  package func list(_ members: inout ObjectWriter) {
    members.add("account", account, "The account's name.")
    members.add("change", change, "The change. Several quick changes by another process count as the last one.")
    members.add("by", origin, "The process that made the change.")
  }
}

package struct SignInWasAbandoned: Event {
  package static let name = "signInWasAbandoned"
  package static let summary = "A sign-in ended without a grant."
  package static var sample: SignInWasAbandoned { .init(account: "", request: .null, signIn: "", reason: "") }

  var account: String
  var request: JSON?
  var signIn: String
  var reason: String

  package var lines: [String] { ["\(account): the sign-in \(reason == "timedOut" ? "was not finished in time" : "was cancelled")"] }

  package func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("signIn", signIn, "The sign-in's ID.")
    members.add("reason", reason, "The reason: `cancelled`, `timedOut` or `ended`. A sign-in is `ended` when the process exits.")
  }
}
