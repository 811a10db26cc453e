import Calls
import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Plans
import Store

/// Returns what another program sends to a host, for an account whose provider names that host.
struct HostCredential: Method {
  static let name = "hostCredential"
  static let errors = Errors.asking

  private let host: String
  private let scheme: String
  private let use: HostAccounts.Use
  private let username: String?
  private let rejected: Secret?
  private let interaction: Interaction
  private let validity: Grant.Validity
  private let timeout: Int?

  /// Whether a page may be opened.
  enum Interaction: String, StringEnum {
    static let schemaName: String? = "HostCredentialInteraction"

    case ifNeeded, never

    var documentation: String { AuthorizationInput.Interaction(rawValue: rawValue)?.documentation ?? "" }
  }

  init(_ fields: inout ObjectReader) throws(FieldError) {
    host = try fields.required("host", "The server's host, with its port if it has one.")
    scheme = try fields.optional("protocol", default: "https", "The protocol. Without TLS, the token goes to this machine only.")
    use = try fields.optional("use", default: .git, "The program that sends the credential.")
    username = try fields.optional(
      "username",
      "The account to use, if several use the host: its name, or the user's e-mail address or name at the provider. The user name that the host "
        + "wants beside the token chooses none: then `hosts` of the configuration chooses, or the log warns.")
    rejected = try fields.optional(
      "rejected", "A password that the host has rejected. The process replaces the access token if it is the rejected one.")
    interaction = try fields.optional("interaction", default: .ifNeeded, "Whether the process may ask the user.")
    validity = try fields.minimumValidity(by: .handOut)
    timeout = try fields.optional(
      "timeout", in: 1...86_400,
      "The seconds after which the call fails with `timedOut`. Without it, a new token may take 60 seconds, and a sign-in as long as that of "
        + "`authorize`. A refresh continues without the call.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    try await service.reportingFailure(call, nil, within: timeout) {
      guard ["https", "http"].contains(scheme) else { throw FieldError("/protocol", "must be https or http") }
      guard let url = URLParts(scheme: scheme, host: host) else { throw FieldError("/host", "must be a host, with its port if it has one") }
      let deadline = timeout.map { service.accounts.clock.deadline(in: $0) }
      func seconds() -> Int { deadline.map { max(1, $0.left) } ?? Accounts.defaultTimeoutSeconds }
      let found = try await service.accounts.withinTimeout(nil, seconds(), of: timeout, undone: "the accounts could not be read") {
        try await service.account(at: url, for: use, username, rejected: rejected)
      }
      guard let git = found else {
        throw OAuthFailure(
          .configurationInvalid, "no account's provider has \(url.hostAndPort) in \(use.member)", details: [.init("path", "/host")])
      }
      var input = AuthorizationInput(account: git.account)
      // Git does not wait for the end of a sign-in whose reason is a rejected password. The next request opens the page.
      if rejected != nil || interaction == .never { input.interaction = .never }
      input.options.timeout = timeout
      func usable() async throws -> Grant {
        try await service.accounts.tokens(of: git.account).grant(
          for: TokenUse(validity: validity), in: seconds(), of: timeout, requestID: call.id?.json
        ).grant
      }
      if try !service.accounts.isForClient(git.account) { _ = try await service.accounts.authorize(service.completed(input, call)) }
      var grant = try await usable()
      if let rejected, try grant.usableToken() == rejected {
        if !grant.canRefresh(at: service.accounts.now) {
          _ = try await service.accounts.tokens(of: git.account).wasRejected(grant, isCertain: false)
        }
        _ = try await service.accounts.withinTimeout(git.account, seconds(), of: timeout) {
          try await service.accounts.tokens(of: git.account).refresh(force: true, requestID: call.id?.json)
        }
        grant = try await usable()
      }
      let token = try grant.bareToken()
      try await service.accounts.recordUse(git.account, by: Self.name, within: seconds())
      return Result(account: git.account, username: git.userName, password: token, expiresAt: grant.expiresAt)
    }
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(account: "", username: "", password: Secret(""), expiresAt: 0) }

    var account: String
    var username: String
    var password: Secret
    var expiresAt: Int?

    func list(_ members: inout ObjectWriter) {
      members.add("account", account, "The account's name.")
      members.add("username", username, "The user name that the host wants.")
      members.add("password", password, "The access token. A program that has it can use the account.")
      members.add(optional: "expiresAt", expiresAt, "When the access token expires, in Unix seconds.")
    }
  }
}

extension Service {
  package var configuredAccounts: [String] { get throws(OAuthFailure) { try configuration.names().map(\.name) } }

  /// Returns the account that serves the URL's host; nil if there is none.
  package func account(
    at url: URLParts, for use: HostAccounts.Use, _ user: String? = nil, rejected: Secret? = nil
  ) async throws -> HostAccounts.Found? {
    try await HostAccounts(accounts, for: use).account(
      at: url, user: user, rejected: rejected, configured: configuredAccounts, wanted: configuration.read()?.hosts[url.hostAndPort])
  }
}
