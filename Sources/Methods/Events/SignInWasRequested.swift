import JSONRPC
import Jansson
import OAuth

package struct SignInWasRequested: Event {
  package static let name = "signInWasRequested"
  package static let summary = "The user must open a page."
  package static var sample: SignInWasRequested { .init(account: "", request: .null, prompt: .sample) }

  var account: String
  package var request: JSON?
  package var prompt: SignInPrompt

  package var lines: [String] { change + page }

  private var change: [String] {
    prompt.issuerChange.map { ["\(account): the API names the authorization server \($0.current) now, and the grant is of \($0.previous)"] }
      ?? []
  }

  private var page: [String] {
    if let code = prompt.userCode { return ["\(account): type the code \(code) on this page:", prompt.verificationUri ?? prompt.url] }
    if prompt.opened == false { return ["\(account): open this page to sign in:", prompt.url] }
    return ["\(account): sign in on the page that opens in the browser. If none opens, open this one:", prompt.url]
  }

  package func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("signIn", prompt.id, "The sign-in's ID.")
    prompt.listPage(&members)
    members.add(optional: "opened", prompt.opened, "`false` if no browser could be started. The client then shows the URL to the user.")
    members.add(optional: "reason", prompt.reason, "The reason why the same sign-in asks again.")
  }
}
