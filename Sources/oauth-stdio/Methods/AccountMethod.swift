import JSONRPC
import Jansson
import OAuth

/// What is known of one account, without a secret and without the network.
struct AccountMethod: InlineMethod {
  static let name = "account"
  static let summary = "The account's state, without secrets and without the network."

  private let account: String

  init(_ fields: inout Fields) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) throws -> AccountState {
    let isConfigured = try service.configuredNames.contains(account)
    return AccountState(
      account: account, stored: try service.accounts.glance(account), isConfigured: isConfigured,
      signIn: service.accounts.openSignIn(account), now: service.accounts.now)
  }
}

/// The states of all accounts that have a grant or are configured.
struct AccountsMethod: TaskMethod {
  static let name = "accounts"
  static let summary = "The states of all accounts with a grant, and of those that are configured."

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) async throws -> Result {
    let now = service.accounts.now
    let configuration = service.configuration
    let named = try await OffPool.run { () throws(OAuthFailure) in try configuration.names() }
    var configured: Set<String> = []
    for (name, failure) in named {
      configured.insert(name)
      // One that is wrong is told of and listed all the same.
      if let failure { service.notifier.notify(ErrorOccured(failure, account: name, request: call.id?.json)) }
    }
    let listed = try await service.accounts.list()
    var states = listed.map { found in
      // One that cannot be read is told of and does not hide the others.
      if let problem = found.problem { service.notifier.notify(ErrorOccured(problem, account: found.account, request: call.id?.json)) }
      return AccountState(
        account: found.account, stored: found.grant, problem: found.problem?.message, isConfigured: configured.contains(found.account),
        signIn: service.accounts.openSignIn(found.account), now: now)
    }
    for name in configured.subtracting(listed.map(\.account)) {
      states.append(AccountState(account: name, isConfigured: true, signIn: service.accounts.openSignIn(name), now: now))
    }
    return Result(accounts: states.sorted { $0.account < $1.account })
  }

  struct Result: Answer {
    static var sample: Result { Result(accounts: []) }

    var accounts: [AccountState]

    func list(_ members: inout Members) {
      members.add("accounts", accounts, "One for each account, by name.")
    }
  }
}

/// An account as others may see it.
struct AccountState: AnswerValue {
  static var sample: AccountState {
    AccountState(account: "", stored: StoredGrant(.sample), problem: "", isConfigured: true, signIn: .sample, now: 0)
  }

  var account: String
  var stored: StoredGrant?
  /// Why the grant cannot be read.
  var problem: String?
  var isConfigured = false
  var signIn: SignInPrompt?
  var now: Int

  func list(_ members: inout Members) {
    let canRefresh = stored?.grant.canRefresh(at: now) ?? false
    let lives = stored.map { $0.grant.hasToken && $0.grant.lives(for: 0, at: Instant(seconds: now)) && !$0.grant.isRefreshRefused } ?? false
    members.add("account", account, "The name under which the grant is kept.")
    members.add("canAuthorize", lives || canRefresh, "Whether it can be used without anybody signing in.")
    members.add(optional: "problem", problem, "Why the account's grant cannot be read; then nothing else is known of it.")
    members.add(optional: "configured", isConfigured ? true : nil, "Whether the configuration says what authorize would otherwise be told.")
    members.add(
      optional: "signedIn", isConfigured ? stored != nil : nil, "Of a configured account: whether a grant is stored for it.")
    members.add(optional: "provider", stored?.grant.providerName, "What people call the provider.")
    members.add(optional: "preset", stored?.grant.preset, "The provider's name for authorize, where it has one.")
    members.add(
      optional: "clientId", stored.flatMap { $0.grant.client.id.isEmpty ? nil : $0.grant.client.id },
      "The client that the grant was given to.")
    members.add(
      optional: "grantedScopes", stored.flatMap { $0.grant.unknownScopes == nil ? $0.grant.grantedScopes : nil },
      "What was granted; not there where that is not known, as with a grant that was imported without it.")
    members.add(
      optional: "missingScopes", stored.flatMap { $0.grant.declinedScopes.isEmpty ? nil : $0.grant.declinedScopes }, "What was declined.")
    members.add(optional: "tokenType", stored?.grant.tokenType, "How the access token is presented.")
    members.add(optional: "expiresAt", stored?.grant.expiresAt, "When the access token ends, in Unix seconds.")
    members.add("canRefresh", canRefresh, "Whether the access token can be replaced.")
    members.add(optional: "subject", stored?.grant.subject, "Who signed in.")
    members.add(optional: "email", stored?.grant.email, "Their address.")
    members.add(
      optional: "attributes", stored.flatMap { $0.grant.attributes.pairs.isEmpty ? nil : $0.grant.attributes },
      "What else the provider told of them.")
    members.add(optional: "signIn", signIn.map(SignInValue.init), "The sign-in that is open.")
  }
}
