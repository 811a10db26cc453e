import Jansson
import Loopback
import Methods
import OAuthCore
import Platform

/// A command that serves Git, docker, podman and skopeo, which ask on standard input. The program that asks may run without a user.
protocol CredentialHelper: MethodCommand {
  /// What the other program asks.
  var input: String { get }
  /// Whether the user of the other program allows questions.
  var allowsQuestions: Bool { get }
}

extension CredentialHelper {
  var allowsQuestions: Bool { true }

  /// Asks for the credential. The user has to sign in only if the page can be shown, and if Git's user allows questions.
  func request(_ command: Command, _ params: [JSON.Member], _ run: CommandRun, _ session: CommandSession) -> CommandSession.Answer {
    // Git's answer takes longer than that of a stored token, so it is asked for last.
    let quiet = session.request(Methods.hostCredential, params + [.init("interaction", "never")])
    guard case .error(let error) = quiet, error["kind"]?.string == OAuthFailure.Kind.signInRequired.rawValue, words == ["get"],
      canShowPage, allowsQuestions
    else { return quiet }
    return session.request(Methods.hostCredential, params)
  }

  /// Whether there is a browser, or a terminal for the page's address.
  private var canShowPage: Bool { isatty(2) == 1 || BrowserLauncher(environment: ProcessEnvironment.variables).isAvailable() }
}

extension CommandError {
  /// Whether no account serves the host.
  var isWithoutAccount: Bool { error.failure?.kind == .configurationInvalid && error["path"] == "/host" }
}
