import Jansson
import Methods

/// Serves Bazel as a credential helper (EngFlow/credential-helper-spec).
struct BazelCredentialCommand: CredentialHelper {
  static let name = "bazel-credential"
  let words: [String]
  private let uri: String

  init(words: [String]) throws(Options.Fault) {
    guard words == ["get"] else { throw Options.Fault("bazel-credential needs get") }
    guard let uri = (try? JSON.parse(Array(try CommandValue.content("-", Self.name).utf8)))?["uri"]?.string else {
      throw Options.Fault("bazel-credential needs a JSON object with uri on standard input")
    }
    (self.words, self.uri) = (words, uri)
  }

  func methodWords() -> [String]? { question(.api, uri) }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let header = "Bearer \(result["password"]?.string ?? "")"
    var members: [JSON.Member] = [.init("headers", ["Authorization": .array([.string(header)])])]
    if let end = result["expiresAt"]?.integer { members.append(.init("expires", .time(end))) }
    return run.print(JSON.object(members).line + "\n")
  }

  /// Bazel sends the request without headers then.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    error.error["path"] == "/host" ? ("{}\n", nil, 0) : nil
  }
}

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

  /// Terraform asks for every host.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    error.error["path"] == "/host" ? ("{}\n", nil, 0) : nil
  }
}
