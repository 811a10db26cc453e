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

  package var lines: [String] {
    if let code = prompt.userCode { return ["\(account): open \(prompt.verificationUri ?? prompt.url) and type the code \(code)"] }
    if prompt.opened == false { return ["\(account): open this page to sign in:", prompt.url] }
    return ["\(account): sign in on the page that opens in the browser. If none opens, open this one:", prompt.url]
  }

  package func list(_ members: inout ObjectWriter) {
    members.add(account: account, request: request)
    members.add("signIn", prompt.id, "The sign-in's ID.")
    members.add("url", prompt.url, "The page that the user opens.")
    members.add(optional: "userCode", prompt.userCode, "The code that the user types on the page.")
    members.add(optional: "verificationUri", prompt.verificationUri, "The page without the code. The user may type the code there.")
    members.add("expiresAt", prompt.expiresAt, "When the sign-in or its page expires, in Unix seconds.")
    members.add(optional: "opened", prompt.opened, "`false` if no browser could be started. The client then shows the URL to the user.")
    members.add(optional: "reason", prompt.reason, "The reason why the same sign-in asks again.")
  }
}
