import Calls
import JSONRPC
import Jansson
import Methods
import OAuth
import OAuthCore
import Platform

/// A method's error as a command says it: what happened, and what the user can do next. On the wire, the next step is a method.
struct CommandError {
  let error: CommandSession.Failure
  let command: Command
  let session: CommandSession

  private var wireMessage: String { error.shown.message }
  /// What happened, without what a client of the wire can do.
  private var problem: String { error.failure?.problem.plain ?? wireMessage }
  private var advice: OAuthFailure.Advice? { error.failure?.advice }
  private var path: String? { error["path"]?.string }
  private var kind: OAuthFailure.Kind? { error["kind"]?.string.flatMap(OAuthFailure.Kind.init) }
  private var account: String? { error["account"]?.string ?? command["account"]?.string }
  /// Whether no account serves the host.
  var isWithoutAccount: Bool { error.failure?.kind == .configurationInvalid && path == "/host" }

  var message: String {
    if let prompt = VariablesPrompt(error, command.params, session) { return prompt.message }
    if let field = error.field { return wrongParam(field) }
    if path == "/provider", error["known"] != nil, error.shown.code == RPCError.invalidParamsCode { return unknownProvider }
    if error["kind"] == RPCError.endingKind { return isSignIn ? "cancelled before the sign-in was finished" : "cancelled" }
    if let message = error.failure?.commandMessage(program: program) { return message }
    switch kind {
    case .signInRequired: return signInRequired
    case .configurationInvalid where path == "/host": return noAccountForHost ?? wireMessage
    case .hostNotAllowed: return hostNotAllowed
    case .insufficientScope, .insufficientUserAuthentication: return stepUp
    case .networkFailure: return wireMessage + Self.sentence(error.failure?.networkAdvice)
    case .accessDenied where isSignIn: return wireMessage + Self.sentence("run the command again to try again")
    case .timedOut where advice == .diagnose:
      let again = "\(problem). Run the command again, with --timeout if you need more seconds"
      // An account that only the words describe is not there any more.
      let subjects = [account, command["provider"]?.string].compactMap(\.self)
      let subject = subjects.first { session.catalog.names.contains($0) || $0.contains("://") || hasAccount($0) }
      return again + (subject.map { ". This looks for the reason: \(program) doctor \(ShellWord.operand($0.plain))" } ?? "")
    case .authorizationServerError, .serviceError: return serverError
    case .portInUse: return wireMessage + Self.sentence("end that program, or take another port for the redirect URI or for listen")
    default: return wireMessage
    }
  }

  private var program: String { session.program }

  private var isSignIn: Bool { command.method.name == Methods.authorize }

  private static func sentence(_ text: String?) -> String { text.map { ". \($0.prefix(1).uppercased() + $0.dropFirst())" } ?? "" }

  /// What the user can do about a standard error (RFC 6749, 4.1.2.1 and 5.2).
  private var serverAdvice: String? {
    switch error.failure?.serverError {
    case _ where advice == .registersAgain: nil
    case .invalidClient, .unauthorizedClient: "compare the client's ID and secret, or its key, with the provider's page for apps"
    case .invalidScope: "compare --scopes with the provider's documentation"
    // A transient answer says nothing about a code.
    case .invalidGrant where error.failure?.isRetryable == true: nil
    case .invalidGrant where isSignIn && command["flow"] == nil && account.map(session.isForClient) != true:
      "run the command again: a code can be used once, and only for a short time"
    default: nil
    }
  }

  private var serverError: String {
    if advice == .bindTokens, let account {
      return wireMessage + ". Sign in with: \(program) login \(ShellWord.operand(account.plain)) --dpop"
    }
    if let seconds = error["retryAfter"]?.integer { return wireMessage + ". Try again in \(seconds) s" }
    guard advice == .signInAgain || advice == .signIn, let account else { return wireMessage + Self.sentence(serverAdvice) }
    return problem + Self.sentence(serverAdvice) + ". Sign in again with: \(program) login \(ShellWord.operand(account.plain))"
  }

  private var hostNotAllowed: String {
    let hosts = error["allowed"]?.array?.compactMap(\.string) ?? []
    // On the wire, the hosts are in the error's data.
    guard !hosts.isEmpty, advice == .apiHosts else { return wireMessage }
    return "\(problem), which are \(hosts.joined(separator: ", ").plain). To add one, name it in apiHosts of the provider's description"
  }

  private var stepUp: String {
    let scopes = error["scopes"]?.array?.compactMap(\.string)
    let option = scopes.map { $0.isEmpty ? " --scopes SCOPE" : $0.map { " --scopes \(ShellWord.quoted($0.plain))" }.joined() }
    let account = account.map { ShellWord.operand($0.plain) } ?? "ACCOUNT"
    let claims = error["claims"].map { " --parameters \(ShellWord.quoted(JSON.object([.init("claims", $0)]).line))" } ?? ""
    return "\(problem). Sign in with: \(program) login \(account)\(option ?? " --interaction always")\(claims)"
  }

  private func wrongParam(_ field: FieldError) -> String {
    switch field.path {
    case "/provider" where field.isMissing && !command.words.contains("provider"):
      return account.map(noProvider) ?? "ACCOUNT is missing: write oauth-stdio \(command.usage.replacing("[ACCOUNT]", with: "ACCOUNT"))"
    case "/clientId" where field.isMissing && command.method.name != Methods.importGrant: return noClient(field)
    case _ where field == Accounts.alreadyImported: return "the account \(account?.plain ?? "") \(field.problem); --replace replaces it"
    default: break
    }
    guard field.path.utf8.first == UInt8(ascii: "/") else { return wireMessage }
    let name = String(field.path.dropFirst()).plain
    let problem = field.wholeProblem.plain
    guard let word = command.everydayType?.word(for: name) ?? (command.words.contains(name) ? name.uppercased() : nil) else {
      // In a list, the pointer names the element. On the wire, each element is a text of its own.
      let option = String(name.prefix { $0 != "/" })
      let isElement = Int(name.dropFirst(option.count + 1)) != nil
      return isElement ? "--\(option) \(field.problem.plain): write --\(option) before each value" : "--\(name) \(problem)"
    }
    guard field == .missing(field.path) else { return "\(word) \(problem)" }
    return "\(word) is missing: write oauth-stdio \(command.usage)"
  }

  // MARK: Accounts

  private var signInRequired: String {
    guard let account else { return wireMessage }
    if let configurationFault { return configurationFault }
    guard hasAccount(account) else {
      let isDeletion = command.method.name == Methods.revoke
      return session.noAccount(account, advice: isDeletion ? ", so there is nothing to delete" : nil)
    }
    if advice == .moreScopes { return stepUp }
    let login = "\(program) login \(ShellWord.operand(account.plain))"
    if command.method.name == Methods.revoke { return "the account \(account.plain) is not signed in, so there is nothing to delete" }
    if error["reason"]?.string == OAuthFailure.Reason.noGrant.rawValue {
      return "the account \(account.plain) is not signed in. Sign in with: \(login)"
    }
    return "\(problem). Sign in with: \(login)\(advice == .openid ? " --scopes openid" : "")"
  }

  private func noProvider(_ account: String) -> String {
    guard !hasAccount(account) else {
      return "the configuration names no provider for the account \(account.plain). Add one there, or sign in with: "
        + "\(program) login PROVIDER \(ShellWord.option("--account", account.plain))"
    }
    guard command.method.name == Methods.authorize else { return "there is no account \(account.plain): add --provider PROVIDER" }
    return session.noAccount(account)
  }

  /// Why the account's configuration cannot be read. `accessToken` does not read it.
  private var configurationFault: String? {
    guard let account, case .error(let error) = session.request(Methods.account, [.init("account", .string(account))]),
      error.failure?.kind == .configurationInvalid
    else { return nil }
    return error.shown.message
  }

  private func hasAccount(_ account: String) -> Bool { session.hasAccount(account) ?? true }

  // MARK: Providers

  private var unknownProvider: String {
    guard let name = command["provider"]?.string, Suggestion.of(name, among: error["known"]?.array?.compactMap(\.string) ?? []) == nil
    else { return wireMessage }
    // A word of `login` may be meant as an account.
    let question = Suggestion.of(name, among: session.accounts).map { ": did you mean the account \"\($0)\"?" }
    if let question { return wireMessage + question }
    guard name.contains(".") else { return "\(wireMessage). This lists them: \(program) providers" }
    // A host is often named for its provider.
    let preset = name.split(separator: ".").map(String.init).first { session.catalog.names.contains($0) }
    return wireMessage + (preset.map { ": did you mean \"\($0)\"?" } ?? ". The address of a server begins with https://")
  }

  /// Names the page where people register a client. On a terminal, `login` asks for it instead.
  private func noClient(_ field: FieldError) -> String {
    let asked = command.params.filter { $0.name == "provider" || $0.name == "variables" }
    let namesTerminal = command.everydayCommand is LoginCommand && !Terminal.isThere
    let terminal = namesTerminal ? ", or run this in a terminal, which asks for the client" : ""
    guard case .result(let text) = session.request(Methods.provider, asked), let provider = try? JSON.parse(text) else {
      return "--clientId \(field.wholeProblem.plain). Add --clientId ID\(terminal)"
    }
    let redirect = ClientPrompt.redirectUri(provider)
    let policy = provider["redirectPolicy"]?.string.flatMap(RedirectOptions.Policy.init)
    let (place, option) =
      switch policy {
      case .pinnedPort: (" with the redirect URI \(redirect.plain)", " --redirectUri \(ShellWord.quoted(redirect.plain))")
      case .https: (" with an https redirect URI that your application receives", " --redirectUri URI")
      case .anyPort, nil: (redirect.isEmpty ? "" : " with the redirect URI \(redirect.plain)", "")
      }
    return "\(provider["name"]?.string?.plain ?? "the provider") needs a client: register one at "
      + "\(provider["registrationPage"]?.string?.plain ?? "its page for registering apps")\(place). Then add --clientId ID\(option)\(terminal)"
  }

  private var noAccountForHost: String? {
    guard let name = command["host"]?.string, let url = URLParts(scheme: "https", host: name) else { return nil }
    let use = command["use"]?.string.flatMap(HostAccounts.Use.init) ?? .git
    return HostAdvice.text(url, use, session.catalog, arguments: session.arguments)
  }

  var status: Int32 {
    guard let kind else {
      let usage = [RPCError.invalidParamsCode, RPCError.methodNotFoundCode]
      return usage.contains(error.shown.code) ? ExitStatus.wrongUsage : 1
    }
    // A wait for the user or for another process has no host.
    if kind == .timedOut, error["host"] != nil { return ExitStatus.network }
    return kind == .signInRequired && configurationFault != nil ? ExitStatus.wrongUsage : ExitStatus.of(kind)
  }
}
