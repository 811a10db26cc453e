import JSONRPC
import Jansson
import Methods
import OAuth
import OAuthCore
import Platform
import Synchronization

/// What `login` does with the person at the terminal.
final class SignInDialog: Sendable {
  private let log: Log
  private let session = Mutex<CommandSession?>(nil)
  private let takesPastes = Atomic<Bool>(false)
  private let hasFailed = Atomic<Bool>(false)
  /// Whether the command opens a browser if there is one.
  private let opensBrowser = Atomic<Bool>(true)

  /// Whether the command ends because its output cannot be written. The reason has been told.
  var hasLostOutput: Bool { hasFailed.load(ordering: .relaxed) }

  init(log: Log) { self.log = log }

  func begin(_ session: CommandSession, _ params: [JSON.Member]) {
    self.session.withLock { $0 = session }
    opensBrowser.store(!params.contains { $0.name == "openBrowser" && $0.value == .bool(false) }, ordering: .relaxed)
  }

  /// Ends the command whose output cannot be written. A reader that has closed its end, such as `head`, needs no message.
  func outputFailed(_ code: Int32) {
    guard !hasFailed.exchange(true, ordering: .relaxed) else { return }
    if code != EPIPE { log.line("oauth-stdio: standard output cannot be written: \(Descriptors.reason(code))") }
    guard let session = session.withLock({ $0 }) else { return }
    Thread.start { session.shutdown.now(status: 1) }
  }

  /// Signs in. If the provider needs values or wants a client, and none are known, asks the user for them and tries again.
  func authorize(_ session: CommandSession, _ words: [JSON.Member]) -> CommandSession.Answer {
    session.isLogin.set()
    var (params, answer) = (words, session.request(Methods.authorize, words))
    if case .error(let error) = answer, Terminal.isThere, let prompt = Self.prompt(error, params, session),
      let filled = prompt.ask(params, log)
    {
      (params, answer) = (filled, session.request(Methods.authorize, filled))
    }
    guard case .error(let error) = answer, error["path"] == "/clientId", Terminal.isThere,
      !params.contains(where: { $0.name == "clientId" }), let account = params.first(where: { $0.name == "account" })?.value.string
    else { return answer }
    let configuration = session.configuration
    var asked = params.filter { $0.name == "provider" || $0.name == "variables" }
    if !asked.contains(where: { $0.name == "provider" }), let file = try? configuration.file.read() {
      let entry = file["accounts"]?[account]?.members ?? []
      asked += entry.filter { known in known.name == "provider" || known.name == "variables" && !asked.contains { $0.name == known.name } }
    }
    guard case .result(let text) = session.request(Methods.provider, asked), let provider = try? JSON.parse(text) else { return answer }
    let prompt = ClientPrompt(account: account, configuration: configuration, log: log)
    guard let client = prompt.ask(provider) else { return answer }
    let second = session.request(Methods.authorize, params.filter { $0.name != "redirectUri" || client.redirectUri == nil } + client.params)
    guard client.isSaved else { return second }
    if case .result = second { prompt.save(client, params) } else { prompt.sayUnsaved() }
    return second
  }

  /// Returns what asks for the values that the provider of these params needs; nil if the error is another one.
  static func prompt(_ error: CommandSession.Failure, _ params: [JSON.Member], _ session: CommandSession) -> VariablesPrompt? {
    VariablesPrompt(error, params) { member in
      let name = params.first { $0.name == "provider" }?.value.string
      return name.flatMap { try? session.catalog.description(of: $0) }?.first { $0.name == member }?.value.string
    }
  }

  /// Returns what tells a person to open the page.
  func lines(of event: SignInWasRequested) -> [String] {
    var asked = event
    if !opensBrowser.load(ordering: .relaxed) { asked.prompt.opened = false }
    return asked.lines
  }

  /// Helps a person whose browser is on another machine.
  func show(_ prompt: SignInPrompt) {
    guard prompt.userCode == nil else { return }
    let elsewhere = "If that browser is on another machine, it ends with an error page. Copy the address of that page and"
    guard isatty(0) == 1 else {
      log.line("Waiting for at most \(max(0, prompt.expiresAt - Clock.system.now)) s. Ctrl-C ends this.")
      return log.line("\(elsewhere) type in another shell: \(session.withLock { $0?.program } ?? "") handleRedirect --url 'ADDRESS'")
    }
    log.line("\(elsewhere) paste it here:")
    guard !takesPastes.exchange(true, ordering: .relaxed), let session = session.withLock({ $0 }) else { return }
    takePastedRedirects(session)
  }

  /// Hands over each line that the user types: over SSH, the browser cannot reach this machine.
  private func takePastedRedirects(_ session: CommandSession) {
    Thread.start { [log] in
      while let line = readLine() {
        guard !line.isEmpty else { continue }
        guard line.utf8.count < Terminal.lineLimit else {
          log.line(
            "oauth-stdio: the address is longer than a terminal's line. In another shell, type: "
              + "\(session.program) handleRedirect --url 'ADDRESS'")
          continue
        }
        session.send(Methods.handleRedirect, [.init("url", .string(line))]) { answer in
          guard case .result(let text) = answer, let reason = (try? JSON.parse(text))?["reason"]?.string else { return }
          log.line("oauth-stdio: \(reason)")
        }
      }
    }
  }
}
