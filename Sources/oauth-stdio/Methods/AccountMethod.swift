import JSONRPC
import Jansson

/// Returns the state of one account, without secrets and without the network.
struct AccountMethod: InlineMethod {
  static let name = "account"
  static let summary = "Returns the account's state without its secrets. It needs no network."
  static let errors = Errors.stored
  static let example: MethodExample? = MethodExample(
    #"{"account":"me"}"#,
    #"""
    {"account":"me","canAuthorize":true,"provider":"127.0.0.1","clientId":"c","grantedScopes":["read"],\#
    "tokenType":"Bearer","expiresAt":1795231455,"canRefresh":true}
    """#)

  private let account: String

  init(_ fields: inout ObjectReader) throws(FieldError) {
    account = try fields.account()
  }

  func run(_ call: Call, _ service: Service) throws -> AccountState {
    let isConfigured = try service.configuredNames.contains(account)
    return AccountState(
      account: account, summary: try service.accounts.summary(of: account), isConfigured: isConfigured,
      signIn: service.accounts.openSignIn(account), now: service.accounts.now)
  }
}
