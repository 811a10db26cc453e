import Jansson
import OAuth

extension SignInPrompt: NestedObject {
  package static var schemaName: String? { "SignIn" }

  package func list(_ members: inout ObjectWriter) {
    members.add("id", id, "The sign-in's ID for `awaitSignIn`.")
    members.add("url", url, "The page that the user opens.")
    members.add(optional: "userCode", userCode, "The code that the user types on the page.")
    members.add(optional: "verificationUri", verificationUri, "The page without the code. The user may type the code there.")
    members.add("expiresAt", expiresAt, "When the sign-in or its page expires, in Unix seconds.")
  }
}
