import JSONRPC
import Jansson
import OAuth

/// All events.
enum Events {
  static let all: [any Event.Type] = [
    AuthorizationWasSuccessful.self, AccessTokenWasRevoked.self, ResponseFromServiceWasReceived.self, ErrorOccured.self,
    ErrorInResponse.self, SignInWasRequested.self, SignInWasAbandoned.self, AccessTokenWasRefreshed.self, ProgressWasMade.self,
    BodyChunkWasReceived.self,
  ]

  static var names: [String] { all.map { $0.name } }

  /// Sends an account's event, named after the original delegate's method.
  static func notify(_ event: AccountEvent, to notifier: Notifier) {
    switch event.kind {
    case .authorized(let authorization):
      notifier.notify(AuthorizationWasSuccessful(authorization: authorization, request: event.requestID))
    case .signInRequested(let prompt): notifier.notify(SignInWasRequested(account: event.account, request: event.requestID, prompt: prompt))
    case .signInAbandoned(let id, let reason):
      notifier.notify(SignInWasAbandoned(account: event.account, request: event.requestID, signIn: id, reason: reason))
    case .refreshed(let expiresAt, let changed):
      notifier.notify(
        AccessTokenWasRefreshed(account: event.account, request: event.requestID, expiresAt: expiresAt, refreshTokenChanged: changed))
    case .revoked(let revocation):
      notifier.notify(AccessTokenWasRevoked(account: event.account, request: event.requestID, revocation: revocation))
    case .failed(let failure): notifier.notify(ErrorOccured(failure, account: event.account, request: event.requestID))
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
