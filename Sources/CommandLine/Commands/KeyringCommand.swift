import Jansson
import Methods
import Platform

/// Serves pip and uv in the place of the command `keyring` of PyPI, and Python's library of that name by the backend of the wheel.
struct KeyringCommand: CredentialHelper {
  private enum Mode: String, CaseIterable { case password, creds }
  private enum Format: String, CaseIterable { case plain, json }

  static let name = "keyring"
  /// Set for the other program, which may start this one again.
  private static let mark = "OAUTH_STDIO_KEYRING"
  let words: [String]
  private let mode: Mode?
  private let format: Format?
  /// Another program's output replaces this one's.
  private var streams: StandardStreams?

  init(words: [String]) throws(Options.Fault) {
    let own = try OwnOptions(words, of: Self.self)
    (self.words, mode, format) = (own.rest, try own.word("--mode"), try own.word("--output"))
  }

  private var user: String? { words.dropFirst(2).first }

  func methodWords() throws(Options.Fault) -> [String]? {
    guard words.first == "get", 2...3 ~= words.count else {
      passOn()
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

  /// pip and uv ask for the password of every index, and for that of its host. They go on without one.
  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    let isUnknown = error.error["path"] == "/host"
    if isUnknown || error.error.failure?.kind == .configurationInvalid { passOn(saying: isUnknown ? nil : error.message) }
    return isUnknown ? ("", nil, 1) : nil
  }

  static func run(_ words: [String], _ run: CommandRun) throws(Options.Fault) -> Int32 {
    var command = try Self(words: words)
    command.streams = run.streams
    return try command.call(run)
  }

  /// Starts the user's own `keyring` in the place of this process, if that was started by its name: it may have the password of another server.
  private func passOn(saying problem: String? = nil) {
    let words = ProgramFile.words
    guard ProcessEnvironment.variable(Self.mark) == nil, ProgramFile.name(words[0]) == Self.name, let output = streams?.output,
      let next = ProgramFile.find(
        Self.name, in: ProcessEnvironment.variable("PATH"), where: { SetupCommand.real($0) != SetupCommand.ownPath })
    else { return }
    var arguments = ([next] + words.dropFirst()).map { strdup($0) } + [nil]
    if let problem { _ = PosixFile.write("oauth-stdio: \(problem)\n", to: 2) }
    setenv(Self.mark, "1", 1)
    Signals.prepare()
    signal(SIGPIPE, SIG_DFL)
    dup2(output, 1)
    execv(next, &arguments)
  }
}
