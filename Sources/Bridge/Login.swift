import HTTP
import OAuth
import OAuthCore

/// The login of the account: adds its token, and decides what a 401 means.
final class Login: Sendable {
  let account: String
  let limits: Limits
  private let accounts: Accounts

  init(_ setup: Bridge.Setup) { (account, limits, accounts) = (setup.account, setup.limits, setup.accounts) }

  /// Hides the token in what the server says.
  var hidden: Redaction { .none }

  /// Sends a request with the account's token.
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await accounts.send(request, with: nil)
  }
}
