import Jansson
import OAuthCore

/// What the client may do. The user who starts the process sets the limits, and nothing changes them afterwards.
///
/// An editor passes on requests of plug-ins and agents that its user does not trust.
package struct Limits: Sendable {
  /// A rule, by the name of its option.
  package enum Rule: String, StringEnum {
    case accounts, allow
    case readOnly = "read-only"
    case noTokens = "no-tokens"
    case allowCall = "allow-call"
    case files
    case knownProviders = "known-providers"

    package static let schemaName: String? = "LimitRule"

    package var documentation: String {
      switch self {
      case .accounts: "The client may use some accounts only."
      case .allow: "The client may call some methods only."
      case .readOnly: "No sign-in, revocation or import, and API calls with the HTTP methods GET and HEAD only."
      case .noTokens: "No method returns a credential."
      case .allowCall: "API calls with some methods to some URLs only."
      case .files: "Files below one folder only."
      case .knownProviders: "Providers of presets, provider files and the configuration only."
      }
    }
  }

  /// The accounts that the client may use; nil allows all.
  package var accounts: [String]?
  /// The methods that the client may call; nil allows all. The methods of the session itself are always allowed.
  package var methods: [String]?
  package var isReadOnly = false
  package var returnsNoTokens = false
  /// The API calls that are allowed. Each list must have a rule for the call.
  package var calls: [[CallRule]] = []
  /// The only folder for files that API calls read and write; nil allows all folders.
  package var files: FileFolder?
  /// Whether API calls need that folder to read or write a file at all. A client with any limit is not trusted with the user's files.
  package var filesNeedFolder = false
  package var allowsKnownProvidersOnly = false
  /// Whether only the user's own words name providers, and never a client.
  package var namesOwnProviders = false
  /// The name of the set of limits in the configuration.
  package var profile: String?

  package init() {}

  /// One of the rules that the user has set; nil without any.
  package var anyRule: Rule? {
    let areSet = [accounts != nil, methods != nil, isReadOnly, returnsNoTokens, !calls.isEmpty, files != nil, allowsKnownProvidersOnly]
    return zip(Rule.allCases, areSet).first(where: \.1)?.0
  }

  package static func failure(_ rule: Rule, _ problem: String? = nil, account: String? = nil) -> OAuthFailure {
    OAuthFailure(
      .notAllowed, "--\(rule.rawValue) does not allow this\(problem.map { ": \($0)" } ?? "")",
      details: [.init("rule", .string(rule.rawValue))], account: account)
  }

  /// Checks a method by its name. One that changes accounts or returns a credential needs more rights than one that uses them.
  package func check(method name: String, changes: Bool, returnsCredential: Bool) throws(OAuthFailure) {
    if let methods, !methods.contains(name) { throw Self.failure(.allow, "the client may not call \(name)") }
    if changes, isReadOnly { throw Self.failure(.readOnly, "\(name) signs accounts in or out, or changes them") }
    if returnsCredential, returnsNoTokens { throw Self.failure(.noTokens, "\(name) returns a credential") }
  }

  package func check(account: String) throws(OAuthFailure) {
    guard let accounts, !accounts.contains(where: { AccountKey($0) == AccountKey(account) }) else { return }
    throw Self.failure(.accounts, "the client may use \(Self.list(accounts)) only", account: account)
  }

  /// Whether the client may learn of the account.
  package func allows(account: String) -> Bool { accounts?.contains { AccountKey($0) == AccountKey(account) } ?? true }

  /// Checks the account of a request. Without a name, a provider would name it.
  package func check(accountOrNone account: String?) throws(OAuthFailure) {
    if let account { return try check(account: account) }
    if let accounts { throw Self.failure(.accounts, "the request must name one of \(Self.list(accounts))") }
  }

  /// The rule that forbids the client to describe a provider. A description can name any member of a response as one that is shown, and
  /// any server as one that gets the token.
  private var descriptionRule: Rule? {
    if namesOwnProviders { return nil }
    if allowsKnownProvidersOnly { return .knownProviders }
    if returnsNoTokens { return .noTokens }
    return calls.isEmpty ? nil : .allowCall
  }

  /// Rejects a provider that the caller describes, or whose hosts the caller chooses.
  package func check(provider: ProviderReference?, _ variables: NamedValues<String>?) throws(OAuthFailure) {
    guard let rule = descriptionRule else { return }
    switch provider {
    case nil, .preset: break
    case .url, .description: throw Self.failure(rule, "the provider must be the name of a preset or of a provider file")
    }
    guard (variables?.pairs ?? []).isEmpty else {
      throw Self.failure(rule, "variables choose a provider's hosts: set them in the configuration")
    }
  }

  /// Rejects a sign-in.
  package func checkSignIn(_ account: String?) throws(OAuthFailure) {
    if isReadOnly { throw Self.failure(.readOnly, account: account).with(\.advice, Self.login(account)) }
  }

  /// Returns a failure so that it does not advise the client to begin a sign-in that the limits forbid.
  package func advising(_ failure: OAuthFailure) -> OAuthFailure {
    guard isReadOnly, [.signIn, .ask, .signInAgain].contains(failure.advice) else { return failure }
    return failure.with(\.advice, Self.login(failure.account))
  }

  private static func login(_ account: String?) -> OAuthFailure.Advice {
    .userSignsIn(account: account.map { ShellWord.operand($0.plain) } ?? "ACCOUNT")
  }

  /// Rejects a secret of the caller. A refresh would store it in place of the user's, or end the login with it.
  package func check(secret brought: String?, _ account: String?) throws(OAuthFailure) {
    if isReadOnly, let brought { throw Self.failure(.readOnly, "\(brought) would change the account", account: account) }
  }

  // MARK: API calls

  /// Rejects every file if there is no folder for files, but must be one.
  package func checkFiles() throws(OAuthFailure) {
    guard filesNeedFolder, files == nil else { return }
    throw Self.failure(.files, "no folder for files is set: start the process with --files DIR")
  }

  /// Headers with which some servers replace the method or the path of a request.
  private static let overridingHeaders: Set<String> = [
    "x-http-method-override", "x-http-method", "x-method-override", "x-original-method", "x-forwarded-method", "x-method",
    "method-override",
    "x-original-url", "x-original-uri", "x-rewrite-url", "x-override-url", "x-forwarded-uri", "x-forwarded-path", "x-envoy-original-path",
  ]

  /// Whether it is one of those headers. CGI and its successors make all signs equal, as in `X.HTTP.Method.Override`.
  private static func isOverriding(_ header: String) -> Bool {
    overridingHeaders.contains(String(header.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }))
  }

  /// Checks a call before its token or a file is read.
  package func check(call method: String, headers: [String]) throws(OAuthFailure) {
    if returnsNoTokens, ["TRACE", "TRACK"].contains(method.uppercased()) {
      throw Self.failure(.noTokens, "the response to \(method) repeats the token")
    }
    guard isReadOnly || !calls.isEmpty else { return }
    if isReadOnly, !["GET", "HEAD"].contains(method) { throw Self.failure(.readOnly, "an API call must be GET or HEAD") }
    guard let header = headers.first(where: Self.isOverriding) else { return }
    throw Self.failure(isReadOnly ? .readOnly : .allowCall, "the header \(header) replaces the method or the path")
  }

  /// Checks one hop of a call.
  package func check(call method: String, to url: URLParts) throws(OAuthFailure) {
    guard !calls.allSatisfy({ rules in rules.contains { $0.matches(method, url) } }) else { return }
    let rules = calls.joined().map(\.text).joined(separator: ", ")
    let problem =
      CallRule.isReadable(url.path) ? "no rule matches" : "its path has . or .., ; or an escaped sign that servers read differently:"
    throw Self.failure(.allowCall, "\(problem) \(method) \(url.scheme)://\(url.hostAndPort)\(url.path); the rules are \(rules)")
  }

  private static func list(_ names: [String]) -> String { names.isEmpty ? "no account" : names.joined(separator: ", ") }
}
