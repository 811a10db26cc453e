import Jansson
import OAuthCore

/// An answer that the door gives itself. Its header `OAuth-Stdio-Error` tells it from the service's answers.
package struct DoorFailure: Error, Equatable {
  package static let header = "OAuth-Stdio-Error"
  /// The header of a 401. It makes git and wget send what they have (RFC 7617).
  package static let challenge = #"Basic realm="oauth-stdio", charset="UTF-8""#

  package let status: Int
  package let kind: String
  package let message: String
  /// Seconds; nil if the program gains nothing by sending the request again.
  package private(set) var retryAfter: Int?

  package static func badRequest(_ message: String) -> DoorFailure { DoorFailure(status: 400, kind: "badRequest", message: message) }

  static let wrongSecret = DoorFailure(
    status: 401, kind: "unauthorized",
    message:
      "the secret is missing or wrong: send $OAUTH_STDIO_SECRET, or what is in http's secret file, as a Bearer token, password or API key"
  )
  static let tokenWasRenewed = DoorFailure(
    status: 503, kind: "tokenRenewed",
    message: "the service wanted a new token, which is there now, and the body was too large to be held: send the request again",
    retryAfter: 1)

  static func noAccount(_ name: String) -> DoorFailure {
    DoorFailure(
      status: 404, kind: "noAccount",
      message: "the door serves no account \(name.plain): the path must be /ACCOUNT/PATH, and oauth-stdio status lists the names")
  }

  private init(status: Int, kind: String, message: String, retryAfter: Int? = nil) {
    (self.status, self.kind, self.message, self.retryAfter) = (status, kind, message, retryAfter)
  }

  /// Tells the program why the request was not answered by the service.
  package init(_ failure: OAuthFailure) {
    let status =
      switch failure.kind {
      case .unsupportedByProvider: 501
      case .configurationInvalid where failure["path"] == "/provider/apiBase": 404
      case .signInRequired, .notAllowed, .hostNotAllowed, .accessDenied: 403
      case .timedOut: 504
      case .networkFailure, .authorizationServerError, .responseUntrusted: 502
      default: 500
      }
    // The advice for a client of the wire is a method.
    let account = failure.account.map { ShellWord.operand($0.plain) }
    let advised = failure.kind == .signInRequired ? failure.with(\.advice, .userSignsIn(account: account ?? "ACCOUNT")) : failure
    self.init(status: status, kind: failure.kind.rawValue, message: advised.message)
  }

  package var headers: [HTTPHeader] {
    [HTTPHeader("Content-Type", "application/json"), HTTPHeader(Self.header, kind)]
      + (status == 401 ? [HTTPHeader("WWW-Authenticate", Self.challenge)] : [])
      + (retryAfter.map { [HTTPHeader("Retry-After", String($0))] } ?? [])
  }

  package var body: [UInt8] { JSON.object([.init("kind", .string(kind)), .init("message", .string(message))]).text + [10] }
}
