import Jansson
import OAuthCore

extension Accounts {
  /// Requests the union of the granted and the new scopes, from the same provider, client and user. Returns at once if no scope is missing.
  ///
  /// Another user is `accessDenied` (Google Sign-In's mismatchWithCurrentUser): the response is authentic, but it is not the wanted consent.
  /// The existing grant stays as it is.
  package func addScopes(_ request: AuthorizationInput) async throws -> Authorization {
    guard let account = request.account else { throw FieldError("/account", "is missing") }
    let grant = try grant(account)
    var request = request
    request.addsScopes = true
    if request.parameters["login_hint"] == nil, let hint = grant.email ?? grant.subject {
      request.parameters.pairs.append((name: "login_hint", value: hint))
    }
    return try await authorize(request)
  }

  /// Asks the authorization server about the account's access token (RFC 7662, 2.1). Does not refresh a token that is about to expire, because the
  /// question is about the current token.
  package func introspect(_ account: String) async throws -> (isActive: Bool, claims: JSON) {
    let grant = try grant(account)
    let provider = try grant.resolvedProvider
    let token = try grant.usableToken()
    guard let endpoint = provider.introspectionEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no introspectionEndpoint").of(account)
    }
    let form = [("token", token.value), ("token_type_hint", "access_token")]
    let response: HTTPResponse
    do {
      response = try await dependencies.http.exchange(.form(endpoint, form, provider, grant.client), to: provider)
    } catch let failure as OAuthFailure {
      throw failure.of(account)
    }
    let hidden = Redaction([token], client: grant.client, provider: provider)
    if let failure = TokenAnswer(response, hiding: hidden).failure { throw failure.of(account) }
    guard case .spliced(let bytes) = JSONScan.splice(response.body), case .bool(let isActive)? = try? JSON.parse(bytes)["active"] else {
      throw OAuthFailure.untrusted("the introspection endpoint's answer does not say whether the token is active").of(account)
    }
    return (isActive, .verbatim(bytes))
  }
}
