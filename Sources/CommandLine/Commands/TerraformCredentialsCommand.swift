import Jansson
import Methods

/// Serves Terraform and OpenTofu as a credentials helper: `HOST… get HOST`, where the first ones are those of the user's file.
struct TerraformCredentialsCommand: CredentialHelper {
  static let name = "terraform-credentials"
  let words: [String]

  init(words: [String]) throws(Options.Fault) {
    guard words.dropLast().last == "get" else {
      // Terraform writes the credential that this ignores.
      if words.contains("store") { _ = try CommandValue.content("-", Self.name) }
      throw Options.Fault("terraform-credentials answers get HOST only: sign in with oauth-stdio login, and out with oauth-stdio logout")
    }
    self.words = words
  }

  /// Terraform also sends the token where the host says, which may be one where anyone can put a file.
  func methodWords() -> [String]? {
    let host = words.last ?? ""
    return question(.api, words.dropLast(2).contains(host) ? host : "")
  }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    run.print((["token": result["password"] ?? ""] as JSON).line + "\n")
  }
}
