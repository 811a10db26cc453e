import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Platform
import Store

/// Returns the state of one account, without secrets and without the network.
struct AccountMethod: Method {
  static let name = "account"
  static let summary = "Returns the account's state without its secrets. It needs no network."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(
    #"{"account":"me"}"#,
    #"""
    {"account":"me","canAuthorize":true,"provider":"127.0.0.1","clientId":"c","grantedScopes":["read"],\#
    "tokenType":"Bearer","expiresAt":1795231455,"refreshedAt":1795227855,"usedAt":1795228000,"canRefresh":true,"key":"file"}
    """#)

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) { account = try fields.account() }

  /// An editor asks for this whenever it draws its status line. A task would cost more than the answer itself.
  func resultAtOnce(_ call: Call, _ service: Service) throws -> AccountState? {
    try service.limits.check(account: account)
    return try service.accounts.readAtOnce(account).map { try state(service, $0) }
  }

  func run(_ call: Call, _ service: Service) async throws -> AccountState {
    await service.accounts.prepareStore(account)
    return try state(service, try service.accounts.find(account))
  }

  private func state(_ service: Service, _ stored: StoredGrant?) throws -> AccountState {
    AccountState(
      account: account, grant: stored?.grant, usedAt: stored == nil ? nil : service.accounts.lastUse(of: account),
      key: stored?.keySource?.name, configured: try service.configuration.isForClient(account),
      signIn: service.accounts.openSignIn(account), now: service.accounts.now)
  }
}

/// Returns the states of all accounts that have a grant or are configured.
struct AccountsMethod: Method {
  static let name = "accounts"
  static let summary = "Returns the states of all accounts that have a grant or are configured."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(
    #"{}"#,
    #"""
    {"accounts":[{"account":"me","canAuthorize":true,"provider":"127.0.0.1","clientId":"c",\#
    "grantedScopes":["read"],"tokenType":"Bearer","expiresAt":1795231455,"refreshedAt":1795227855,\#
    "usedAt":1795228000,"canRefresh":true,"key":"file"}]}
    """#)

  init(_ fields: inout ObjectReader) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) async throws -> Result {
    let now = service.accounts.now
    await service.accounts.prepareStore()
    let configuration = service.configuration
    // The command `status` says itself that the file cannot be read.
    let skips = service.command == "status"
    let named = try await Blocking.run { () throws(OAuthFailure) in skips ? (try? configuration.names()) ?? [] : try configuration.names() }
    var configured: [String: Bool] = [:]
    var faults: [String: String] = [:]
    for (name, entry) in named where service.limits.allows(account: name) {
      configured[name] = (try? entry.get()) ?? false
      // A faulty entry is reported and still listed.
      guard case .failure(let failure) = entry else { continue }
      faults[name] = failure.message
      service.notifier.notify(ErrorOccured(failure, account: name, request: call.id?.json))
    }
    let listed = try await service.accounts.list().filter { service.limits.allows(account: $0.account) }
    let key = service.accounts.keySource?.name
    var states = listed.map { found in
      // An unreadable grant is reported and does not hide the others.
      if let problem = found.problem { service.notifier.notify(ErrorOccured(problem, account: found.account, request: call.id?.json)) }
      return AccountState(
        account: found.account, grant: found.stored?.grant, usedAt: found.usedAt, problem: found.problem?.message ?? faults[found.account],
        key: key, configured: configured[found.account], signIn: service.accounts.openSignIn(found.account), now: now)
    }
    let others = Set(configured.keys).subtracting(listed.map(\.account))
    for name in others {
      states.append(
        AccountState(
          account: name, problem: faults[name], configured: configured[name], signIn: service.accounts.openSignIn(name), now: now))
    }
    // The listing is sorted already.
    if !others.isEmpty { states.sort { $0.account < $1.account } }
    return Result(accounts: states)
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(accounts: []) }

    var accounts: [AccountState]

    func list(_ members: inout ObjectWriter) { members.add("accounts", accounts, "The states, sorted by name.") }
  }
}

/// The public state of an account.
struct AccountState: NestedObject {
  static var sample: AccountState {
    AccountState(
      account: "", grant: .sample, usedAt: 0, problem: "", key: "", configured: false, signIn: .sample, now: 0)
  }

  var account: String
  var grant: Grant?
  /// When a credential of the account was last used, in Unix seconds.
  var usedAt: Int?
  /// Why the grant or the entry in the configuration cannot be read.
  var problem: String?
  /// Where the key is that seals the grant.
  var key: String?
  /// Whether the tokens are the client's own, as the configuration says; nil if it does not name the account.
  var configured: Bool?
  var signIn: SignInPrompt?
  var now: Int

  func list(_ members: inout ObjectWriter) {
    let canRefresh = configured == true || grant?.canRefresh(at: now) ?? false
    let isValid = grant?.isUsable(at: now) ?? false
    members.add("account", account, "The account's name.")
    members.add("canAuthorize", isValid || canRefresh, "Whether the account is usable without a sign-in, as far as the process knows.")
    let isUntried = (isValid || canRefresh) && grant?.isUntried(usedAt: usedAt) == true
    members.add(
      optional: "untried", isUntried ? true : nil,
      "Whether the grant was imported and has not been used since, so that the provider may not accept it.")
    members.add(optional: "problem", problem ?? grant?.problem(at: now)?.rawValue, Grant.Problem.documentation)
    members.add(
      optional: "inDoubt", grant?.isInDoubt == true ? true : nil,
      "Whether a service has rejected the access token without saying that it has ended. The next successful call ends the doubt.")
    members.add(optional: "configured", configured == nil ? nil : true, "Whether the configuration names the account.")
    members.add(
      optional: "signedIn", configured == nil ? nil : grant != nil, "Whether a configured account has a grant.")
    members.add(optional: "provider", grant?.providerName, "The provider's name for users.")
    members.add(optional: "preset", grant?.preset, "The provider's name for `authorize`, if it has one.")
    members.add(
      optional: "clientId", grant.flatMap { $0.client.id.isEmpty ? nil : $0.client.id },
      "The ID of the client with the grant.")
    members.add(
      optional: "grantedScopes", grant.flatMap { $0.unknownScopes == nil ? $0.grantedScopes : nil },
      "The granted scopes, if they are known. An imported grant may not name them.")
    members.add(
      optional: "missingScopes", grant.flatMap { $0.declinedScopes.isEmpty ? nil : $0.declinedScopes },
      "The scopes that the user or the provider declined.")
    members.add(optional: "tokenType", grant?.tokenType, "The access token's type.")
    members.add(optional: "expiresAt", grant?.expiresAt, "When the access token expires, in Unix seconds.")
    members.add(optional: "refreshedAt", grant?.issuedAt, "When the process received the access token, in Unix seconds.")
    members.add(
      optional: "usedAt", grant == nil ? nil : usedAt,
      "When a process last used a token of the account, in Unix seconds. The time may be a minute too early.")
    members.add("canRefresh", canRefresh, "Whether the process can replace the access token without a sign-in.")
    members.add(optional: "subject", grant?.subject, "The user's identifier at the provider.")
    members.add(optional: "email", grant?.email, "The user's e-mail address.")
    members.add(
      optional: "attributes", grant.flatMap { $0.attributes.pairs.isEmpty ? nil : $0.attributes },
      "Further attributes of the user from the provider.")
    members.add(
      optional: "key", grant == nil ? nil : key, "The place of the key that seals the account's grant: `file`, `keyring` or `command`.")
    members.add(optional: "signIn", signIn, "The open sign-in of the account.")
  }
}
