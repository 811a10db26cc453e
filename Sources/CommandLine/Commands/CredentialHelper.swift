import Calls
import Jansson
import Loopback
import Methods
import OAuthCore
import Platform

/// A command that gives another program the credential of a host. That program may run without a user.
protocol CredentialHelper: MethodCommand {
  /// Whether the program may wait for a sign-in, and its user allows questions.
  var allowsQuestions: Bool { get }
  /// What the program gets, with the exit status, if no account serves the host: most programs ask for each of their hosts.
  static var answerElsewhere: (text: String, status: Int32) { get }
}

extension CredentialHelper {
  static var isForScripts: Bool { true }
  var allowsQuestions: Bool { false }
  static var answerElsewhere: (text: String, status: Int32) { ("{}\n", 0) }

  func answer(to error: CommandError) -> (text: String, said: String?, status: Int32)? {
    error.error["path"] == "/host" ? (Self.answerElsewhere.text, nil, Self.answerElsewhere.status) : nil
  }

  /// Asks for the credential. The user has to sign in only if the page can be shown, and if the program allows questions.
  func request(_ command: Command, _ params: [JSON.Member], _ run: CommandRun, _ session: CommandSession) -> CommandSession.Answer {
    // Git's answer takes longer than that of a stored token, so it is asked for last.
    let quiet = session.request(Methods.hostCredential, params + [.init("interaction", "never")])
    guard case .error(let error) = quiet, error["kind"]?.string == OAuthFailure.Kind.signInRequired.rawValue, canShowPage, allowsQuestions
    else { return quiet }
    return session.request(Methods.hostCredential, params)
  }

  /// Returns the words that ask for the credential of a server, of which the other program gives the URL or the host.
  func question(_ use: HostAccounts.Use, _ server: String, user: String? = nil) -> [String] {
    let scheme = ["https://", "http://"].first(where: server.hasPrefix)
    let host = server.dropFirst(scheme?.count ?? 0).prefix { $0 != "/" }
    // A server on this machine may have no TLS.
    let isLocal = scheme == "http://" || ["localhost", "127.0.0.1"].contains(host.prefix { $0 != ":" })
    return [Methods.hostCredential, "--use=\(use.rawValue)", "--host=\(CommandValue.quoted(String(host)))"]
      + (isLocal ? ["--protocol=http"] : [])
      + (user.map { ["--username=\(CommandValue.quoted($0))"] } ?? [])
  }

  /// Whether there is a browser, or a terminal for the page's address.
  private var canShowPage: Bool { isatty(2) == 1 || BrowserLauncher(environment: ProcessEnvironment.variables).isAvailable() }
}
