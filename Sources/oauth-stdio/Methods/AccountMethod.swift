import JSONRPC
import Jansson

/// Returns the state of one account, without secrets and without the network.
struct AccountMethod: TaskMethod {
  static let name = "account"
  static let summary = "Returns the account's state without its secrets. It needs no network."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(
    #"{"account":"me"}"#,
    #"""
    {"account":"me","canAuthorize":true,"provider":"127.0.0.1","clientId":"c","grantedScopes":["read"],\#
    "tokenType":"Bearer","expiresAt":1795231455,"canRefresh":true,"key":"file"}
    """#)

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) async throws -> AccountState {
    try service.limits.check(account: account)
    await service.accounts.prepareStore()
    let isConfigured = try service.configuredNames.contains(account)
    return AccountState(
      account: account, summary: try service.accounts.summary(of: account), key: service.accounts.keySource?.name,
      isConfigured: isConfigured,
      signIn: service.accounts.openSignIn(account), now: service.accounts.now)
  }
}
