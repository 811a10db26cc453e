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
    let answer: JSON = ["headers": ["Authorization": .array([.string(header)])], "expires": result["expiresAt"]?.integer.map(JSON.time)]
    return run.print(answer.line + "\n")
  }
}
