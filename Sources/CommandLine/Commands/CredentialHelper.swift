import Jansson
import Loopback
import Methods
import OAuthCore
import Platform

/// What the commands do that serve Git, docker, podman and skopeo. The program that asks may run without a user.
struct CredentialHelper {
  let everydayCommand: EverydayCommand
  let words: [String]
  let session: CommandSession

  /// Asks for the credential. The user has to sign in only if the page can be shown, and if Git's user allows questions.
  func request(_ params: [JSON.Member]) -> CommandSession.Answer {
    // Git's answer takes longer than that of a stored token, so it is asked for last.
    let quiet = session.request(Methods.hostCredential, params + [.init("interaction", "never")])
    guard case .error(let error) = quiet, error["kind"]?.string == OAuthFailure.Kind.signInRequired.rawValue, words == ["get"],
      canShowPage, allowsQuestions
    else { return quiet }
    return session.request(Methods.hostCredential, params)
  }

  /// Whether there is a browser, or a terminal for the page's address.
  private var canShowPage: Bool { isatty(2) == 1 || BrowserLauncher(environment: ProcessEnvironment.variables).isAvailable() }

  /// What Git's `credential.interactive` says (git-config(1)). Git Credential Manager also knows the value `never`.
  private var allowsQuestions: Bool {
    guard everydayCommand == .gitCredential,
      let output = try? CommandOutput.run(["git", "config", "--get", "credential.interactive"], ProcessEnvironment.variables, .system)
    else { return true }
    let value = String(decoding: output, as: UTF8.self).lowercased().filter { !$0.isWhitespace }
    return !["false", "no", "off", "0", "never"].contains(value)
  }

  /// Returns what to print for an error, what to say on standard error, and the exit status; nil if the error is that of any command.
  /// `message` is the error as a command says it.
  func answer(
    to error: CommandSession.Failure, _ command: Command, message: @autoclosure () -> String
  ) -> (text: String, said: String?, status: Int32)? {
    let (kind, path) = (error.failure?.kind, error["path"])
    let isWithoutAccount = kind == .configurationInvalid && path == "/host"
    // docker's clients compare this text (docker-credential-helpers, `credentials/error.go`).
    let notFound = "credentials not found in native keychain"
    if everydayCommand == .dockerCredential { return ((isWithoutAccount ? notFound : message()) + "\n", nil, 1) }
    // Git asks every helper of a host.
    if isWithoutAccount { return ("", nil, 0) }
    if kind == .configurationInvalid, path == "/username" {
      guard words == ["get"] else { return ("", nil, 0) }
      let url = "\(command["protocol"]?.string ?? "https")://\(command["host"]?.string ?? "")"
      let advice = "Name one in the URL, or with: git config \(ShellWord.quoted("credential.\(url).username".plain)) ACCOUNT"
      return ("", "\(error.shown.message). \(advice)", 0)
    }
    // There is nothing to erase.
    let isSignedOut = kind == .signInRequired && error["reason"]?.string == OAuthFailure.Reason.noGrant.rawValue
    return isSignedOut && words == ["erase"] ? ("", nil, 0) : nil
  }

  /// Returns docker's list of the registries with accounts: an object with the user name of each URL. The status is 1 if it is a failure.
  static func registries(_ session: CommandSession) -> (text: String, status: Int32) {
    let found: Result<[JSON.Member], OAuthFailure> = session.waiting { service in
      await service.accounts.prepareStore()
      do {
        let hosts = try await service.accounts.hosts(for: .registry, configured: service.configuredAccounts)
        return .success(hosts.map { .init("https://\($0.host)", .string($0.userName)) })
      } catch {
        return .failure(error as? OAuthFailure ?? OAuthFailure(.storageFailure, "the accounts could not be listed"))
      }
    }
    switch found {
    case .success(let members): return (JSON.object(members).line + "\n", 0)
    case .failure(let failure): return (failure.message + "\n", 1)
    }
  }
}

/// What kubectl reads from a credential plug-in (client.authentication.k8s.io).
enum ExecCredential {
  /// Returns the answer for a result of `accessToken`. kubectl names the version that it wants in its environment.
  static func text(_ result: JSON, usesIDToken: Bool) -> String {
    let asked = ProcessEnvironment.variable("KUBERNETES_EXEC_INFO").flatMap { try? JSON.parse(Array($0.utf8)) }
    var status: [JSON.Member] = [.init("token", result[usesIDToken ? "idToken" : "accessToken"] ?? "")]
    // kubectl asks again after that time. An ID token has its own.
    let end = result[usesIDToken ? "idTokenExpiresAt" : "expiresAt"]?.integer
    if let (date, time) = end.map(Clock.utc) { status.append(.init("expirationTimestamp", .string("\(date)T\(time)Z"))) }
    let answer: JSON = [
      "apiVersion": asked?["apiVersion"] ?? "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": .object(status),
    ]
    return String(decoding: answer.text, as: UTF8.self) + "\n"
  }
}
