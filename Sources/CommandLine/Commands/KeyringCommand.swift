import Jansson
import Methods

/// Serves pip and uv in the place of the command `keyring` of PyPI, and Python's library of that name by the backend of the wheel.
struct KeyringCommand: CredentialHelper {
  private enum Mode: String, CaseIterable { case password, creds }
  private enum Format: String, CaseIterable { case plain, json }

  static let name = "keyring"
  static let answerElsewhere: (text: String, status: Int32) = ("", 1)
  let words: [String]
  private let mode: Mode?
  private let format: Format?

  init(words: [String]) throws(Options.Fault) {
    let own = try OwnOptions(words, of: Self.self)
    (self.words, mode, format) = (own.rest, try own.word("--mode"), try own.word("--output"))
  }

  private var user: String? { words.dropFirst(2).first }

  func methodWords() throws(Options.Fault) -> [String]? {
    guard words.first == "get", 2...3 ~= words.count else {
      throw Options.Fault("keyring answers get SERVICE [USER] only: it has the accounts' access tokens, and stores no passwords")
    }
    // pip and uv ask for the URL first, and then for the host alone, to which the token might go without TLS.
    return question(.api, words[1].contains("://") ? words[1] : "", user: user)
  }

  func show(_ result: JSON, _ run: CommandRun, _ session: CommandSession) -> Int32 {
    let (user, password) = (JSON.string(user ?? result["username"]?.string ?? ""), result["password"] ?? "")
    let members: [JSON.Member] = (mode == .creds ? [.init("username", user)] : []) + [.init("password", password)]
    return run.print(format == .json ? JSON.object(members).line + "\n" : members.map { ($0.value.string ?? "") + "\n" }.joined())
  }
}
