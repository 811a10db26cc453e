import Jansson
import OAuth

/// A sign-in that the user has to finish.
struct SignInValue: NestedObject {
  static let schemaName: String? = "SignIn"
  static var sample: SignInValue { SignInValue(prompt: .sample) }

  var prompt: SignInPrompt

  func list(_ members: inout ObjectWriter) {
    members.add("id", prompt.id, "The sign-in's ID for `awaitSignIn`.")
    members.add("url", prompt.url, "The page that the user opens.")
    members.add(optional: "userCode", prompt.userCode, "The code that the user types on the page.")
    members.add(optional: "verificationUri", prompt.verificationUri, "The page without the code. The user may type the code there.")
    members.add("expiresAt", prompt.expiresAt, "The end of the sign-in or of its page, in Unix seconds.")
  }
}
