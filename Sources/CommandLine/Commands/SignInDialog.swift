import Jansson
import Methods
import OAuth
import OAuthCore
import Platform
import Synchronization

/// What `login` does with the person at the terminal.
final class SignInDialog: Sendable {
  private struct State {
    var session: CommandSession?
    /// What was shown last.
    var prompt: SignInPrompt?
    var hasAdvised = false
    var hasLostOutput = false
    /// Whether the command opens a browser if there is one.
    var opensBrowser = true
  }

  private let log: Log
  private let state = Mutex(State())

  /// Whether the command ends because its output cannot be written. The reason has been told.
  var hasLostOutput: Bool { state.withLock { $0.hasLostOutput } }

  init(log: Log) { self.log = log }

  func begin(_ session: CommandSession, _ params: [JSON.Member]) {
    let opensBrowser = !params.contains { $0.name == "openBrowser" && $0.value == .bool(false) }
    state.withLock { ($0.session, $0.opensBrowser) = (session, opensBrowser) }
  }

  /// Ends the command whose output cannot be written. A reader that has closed its end, such as `head`, needs no message.
  func outputFailed(_ code: Int32) {
    let (session, isTold) = state.withLock { ($0.session, exchange(&$0.hasLostOutput, with: true)) }
    if isTold { return }
    if code != EPIPE { log.line("oauth-stdio: standard output cannot be written: \(Descriptors.reason(code))") }
    guard let session else { return }
    Thread.start { session.shutdown.endAtOnce(status: 1) }
  }

  /// Signs in. If the provider needs values or a client that are missing, asks the user for them and tries again.
  func authorize(_ session: CommandSession, _ words: [JSON.Member]) -> CommandSession.Answer {
    let named = words.first { $0.name == "account" }?.value.string ?? ""
    if let address = (try? session.configuration.account(named))??.listen, !address.isLocal {
      log.line("oauth-stdio: \(LogMessage.redirectInClear(address.name).text)")
    }
    var (params, answer) = (words, session.request(Methods.authorize, words))
    if case .error(let error) = answer, Terminal.isThere, let prompt = VariablesPrompt(error, params, session),
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
      asked += entry.filter { item in item.name == "provider" || item.name == "variables" && !asked.contains { $0.name == item.name } }
    }
    guard case .result(let text) = session.request(Methods.provider, asked), let provider = try? JSON.parse(text) else { return answer }
    let prompt = ClientPrompt(account: account, configuration: configuration, log: log)
    guard let client = prompt.ask(provider) else { return answer }
    let second = session.request(Methods.authorize, params.filter { $0.name != "redirectUri" || client.redirectUri == nil } + client.params)
    guard client.isSaved else { return second }
    guard case .result = second else {
      // The client may be what is wrong.
      log.line("oauth-stdio: the client is not saved, because the sign-in failed")
      return second
    }
    prompt.save(client, params)
    return second
  }

  /// Returns what tells a person to open the page. A page that has been shown is not shown again if no browser could be started.
  func lines(of event: SignInWasRequested) -> [String] {
    var asked = event
    asked.prompt.opened = nil
    let (opensBrowser, last) = state.withLock { ($0.opensBrowser, exchange(&$0.prompt, with: asked.prompt)) }
    guard last != asked.prompt else { return event.prompt.opened == false ? ["no browser could be started"] : [] }
    asked.prompt.opened = opensBrowser ? event.prompt.opened : false
    return asked.lines
  }

  /// Helps a person whose browser is on another machine, once.
  func show(_ prompt: SignInPrompt) {
    guard prompt.userCode == nil, !state.withLock({ exchange(&$0.hasAdvised, with: true) }) else { return }
    let elsewhere = "If that browser is on another machine, it ends with an error page. Copy the address of that page and"
    let session = state.withLock { $0.session }
    guard isatty(0) == 1 else {
      log.line("Waiting for at most \(max(0, prompt.expiresAt - Clock.system.now)) s. Ctrl-C ends this.")
      return log.line("\(elsewhere) type in another shell: \(session?.program ?? "") handleRedirect --url 'ADDRESS'")
    }
    log.line("\(elsewhere) paste it here:")
    if let session { takePastedRedirects(session) }
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
