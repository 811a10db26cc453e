import Jansson
import OAuthCore

/// One request to the userinfo endpoint (OpenID Connect Core, 5.3.1). It is refreshed, replayed and retried like an API call.
package struct UserInfoRequest: Sendable {
  package struct UserInfo: Sendable {
    package var subject: String?
    /// The provider's own JSON.
    package var claims: JSON
  }

  private let account: String
  /// Seconds for the whole request.
  private let timeout: Int
  private let requestID: JSON?
  private let accounts: Accounts

  package init(account: String, timeout: Int = Accounts.defaultTimeoutSeconds, requestID: JSON?, accounts: Accounts) {
    self.account = account
    self.timeout = timeout
    self.requestID = requestID
    self.accounts = accounts
  }

  package func send() async throws -> APIResponse {
    let provider = try provider()
    guard let endpoint = provider.userInfoEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no userInfoEndpoint").of(account)
    }
    var request = APIRequest(account: account, url: endpoint)
    request.as = .json
    request.timeout = timeout
    request.requestID = requestID
    request.endpoint = endpoint
    return try await APICall(accounts: accounts, request: request) { _ in true }.run()
  }

  /// Reads a successful response.
  package func read(_ response: APIResponse) throws -> UserInfo {
    guard case .json(let bytes) = response.body else {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is not JSON that can be passed on").of(account)
    }
    return UserInfo(subject: try subject(bytes), claims: .verbatim(bytes))
  }

  private func provider() throws -> Provider {
    try accounts.grant(account).resolvedProvider
  }

  /// Returns the claim `sub`. It must equal the ID token's, or the claims must not be used (5.3.2). Without an ID token there is nothing to compare.
  private func subject(_ bytes: [UInt8]) throws -> String? {
    let claims: JSON
    do {
      claims = try JSON.parse(bytes)
    } catch {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is not valid JSON").of(account)
    }
    guard case .object = claims else { throw OAuthFailure.untrusted("the userinfo endpoint's response is not an object").of(account) }
    let subject = claims["sub"]?.string
    if let known = try accounts.stored(account)?.subject, subject != known {
      throw OAuthFailure.untrusted("the userinfo endpoint's response is about a user other than the ID token's (sub)").of(account)
    }
    return subject
  }
}
