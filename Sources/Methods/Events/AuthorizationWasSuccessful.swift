import JSONRPC
import Jansson
import OAuth

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
