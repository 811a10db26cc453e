import Calls
import Jansson
import Methods
import OAuthCore

/// Serves docker, podman and skopeo as a credential helper (docker-credential-helpers).
struct DockerCredentialCommand: CredentialHelper {
  static let name = "docker-credential"
  static let warns = true
  let words: [String]
  /// What docker asks.
  private let input: String
  var allowsQuestions: Bool { words == ["get"] }

  init(words: [String]) throws(Options.Fault) { (self.words, input) = (words, try CommandValue.content("-", Self.name)) }

  /// For the version and the list, docker asks nothing. The list has the user name of each URL of a registry with an account.
  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    if words == ["version"] { return run.print("oauth-stdio \(Version.current)\n") }
    guard words == ["list"] else { return try Self(words: words).call(run) }
    guard let session = run.makeSession(Self.self) else { return 1 }
    let (text, status): (String, Int32) = CommandSession.waiting { [service = session.service] in
      await service.accounts.prepareStore()
      do {
        let hosts = try await HostAccounts(service.accounts, for: .registry).hosts(configured: service.configuredAccounts)
        return (JSON.object(hosts.map { .init("https://\($0.host)", .string($0.userName)) }).line, 0)
      } catch {
        return ((error as? OAuthFailure)?.message ?? "the accounts could not be listed", 1)
      }
    }
    session.shutdown.finishCalls(status: max(run.print(text + "\n"), status))
  }

  /// Reads the server's URL, as docker writes it. Returns nil if there is nothing to do, because the process stores tokens itself.
  func methodWords() throws(Options.Fault) -> [String]? {
    guard words.count == 1, ["get", "store", "erase", "list", "version"].contains(words[0]) else {
      throw Options.Fault("docker-credential needs get, store, erase, list or version")
    }
    guard input.contains(where: { !$0.isWhitespace }) else {
      // The text of docker's own helpers.
      throw Options.Fault("no credentials server URL")
    }
    guard words[0] == "get" else { return nil }
    return question(.registry, input.hasSuffix("\n") ? String(input.dropLast()) : input)
  }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let members: JSON = ["ServerURL": .string(input), "Username": result["username"] ?? "", "Secret": result["password"] ?? ""]
    return run.print(members.line + "\n")
  }

  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    // docker's clients compare this text (docker-credential-helpers, `credentials/error.go`).
    ((error.isWithoutAccount ? "credentials not found in native keychain" : error.message) + "\n", nil, 1)
  }
}
