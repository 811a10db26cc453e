import JSONRPC
import Jansson
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
