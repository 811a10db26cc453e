import JSONRPC
import Jansson

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
