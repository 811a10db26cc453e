import Jansson

/// One request to the userinfo endpoint (OpenID Connect Core, 5.3.1), carried as any call of the API is: refreshed, replayed, retried.
package struct UserInfoRequest: Sendable {
  package struct Answer: Sendable {
    package var subject: String?
    /// The provider's own JSON.
    package var claims: JSON
  }

  private let account: String
  /// Seconds for the whole of it.
  private let timeout: Int
  private let cause: JSON?
  private let accounts: Accounts

  package init(account: String, timeout: Int = Accounts.patience, cause: JSON?, accounts: Accounts) {
    self.account = account
    self.timeout = timeout
    self.cause = cause
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
    request.cause = cause
    request.endpoint = endpoint
    return try await APICall(accounts: accounts, request: request) { _ in true }.run()
  }

  /// What a successful answer says.
  package func read(_ response: APIResponse) throws -> Answer {
    guard case .json(let bytes) = response.body else {
      throw OAuthFailure.untrusted("the userinfo endpoint's answer is no json that can be passed on").of(account)
    }
    return Answer(subject: try subject(bytes), claims: .verbatim(bytes))
  }

  private func provider() throws -> Provider {
    try accounts.grant(account).resolvedProvider
  }

  /// The claim `sub`, which has to be the ID token's, or the claims must not be used (5.3.2). Where no ID token came there is nothing to compare with.
  private func subject(_ bytes: [UInt8]) throws -> String? {
    let claims: JSON
    do {
      claims = try JSON.parse(bytes)
    } catch {
      throw OAuthFailure.untrusted("the userinfo endpoint's answer is no json that can be read").of(account)
    }
    guard case .object = claims else { throw OAuthFailure.untrusted("the userinfo endpoint's answer is no object").of(account) }
    let subject = claims["sub"]?.string
    if let known = try accounts.stored(account)?.subject, subject != known {
      throw OAuthFailure.untrusted("the userinfo endpoint's answer is about another user than the ID token (sub)").of(account)
    }
    return subject
  }
}
