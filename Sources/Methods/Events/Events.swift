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

  /// Sends any event.
  package static func forward(_ event: any Event, to notifier: Notifier) {
    func send<E: Event>(_ event: E) { notifier.notify(event) }
    send(event)
  }
}

extension Notifier: EventSink {
  package var reportsChanges: Bool { sends(AccountWasChanged.self) }

  package func report(_ failure: OAuthFailure) { notify(ErrorOccured(failure, account: nil, request: nil)) }

  /// Sends an account's event, named after the original delegate's method.
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
