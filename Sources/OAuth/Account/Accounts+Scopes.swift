import Jansson

extension Accounts {
  /// Asks for scopes beside those that are granted: the union, of the same provider, client and user. Success at once where none is missing.
  ///
  /// A user who is somebody else is `accessDenied` (Google Sign-In's mismatchWithCurrentUser): nobody forged anything, it is not the consent that was
  /// wanted. What was granted before stays as it is.
  package func addScopes(_ request: AuthorizeRequest) async throws -> Authorization {
    guard let account = request.account else { throw FieldError("/account", "is missing") }
    let grant = try grant(account)
    var request = request
    request.addsScopes = true
    if request.parameters["login_hint"] == nil, let hint = grant.email ?? grant.subject {
      request.parameters.pairs.append((name: "login_hint", value: hint))
      request.impliedParameters = ["login_hint"]
    }
    var authorization = try await authorize(request)
    // A sign-in that was open already, and was joined, may have asked for less.
    if authorization.via != nil, let stored = try stored(account) {
      authorization.missingScopes += stored.missing(of: request.scopes ?? []).filter { !authorization.missingScopes.contains($0) }
    }
    return authorization
  }

  /// What the authorization server says of the account's access token (RFC 7662, 2.1). A token that is on its end is not refreshed for it: what is
  /// asked is how the one that is there stands.
  package func introspect(_ account: String) async throws -> (isActive: Bool, claims: JSON) {
    let grant = try grant(account)
    let provider = try grant.resolvedProvider
    let token = try grant.usableToken()
    guard let endpoint = provider.introspectionEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no introspectionEndpoint").of(account)
    }
    let form = [("token", token.value), ("token_type_hint", "access_token")]
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await surroundings.http.send(.form(endpoint, form, provider, grant.client), to: provider)
    } catch {
      throw OAuthFailure(error).of(account)
    }
    let hidden = Redaction([token], client: grant.client, provider: provider)
    if let failure = TokenAnswer(response, hiding: hidden).failure { throw failure.of(account) }
    guard case .spliced(let bytes) = JSONScan.splice(response.body), case .bool(let isActive)? = try? JSON.parse(bytes)["active"] else {
      throw OAuthFailure.untrusted("the introspection endpoint's answer does not say whether the token is active").of(account)
    }
    return (isActive, .verbatim(bytes))
  }
}
