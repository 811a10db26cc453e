import Jansson
import OAuthCore

extension AuthorizationPlan {
  /// The provider with the client's id in the places that name it.
  var filledProvider: Provider {
    get throws(OAuthFailure) { try provider.filled(with: .init(), client: client) }
  }

  /// Returns the values of the redirect that the provider's description keeps.
  func kept(from parameters: [RedirectParameter]) -> NamedValues<String> {
    NamedValues(
      provider.request.callbackMembers.compactMap { name in
        parameters.first { $0.name == name }.flatMap { JSON.string($0.value).attributeText }.map { (name, $0) }
      })
  }

  /// Returns the grant for an OAuth 2.0 token response; `kept` are the values that came with the code.
  func grant(
    _ tokens: TokenResponse, kept: NamedValues<String>, redirectUri: String?, at now: Instant
  ) throws(OAuthFailure) -> Grant {
    var grant = grant(accessToken: tokens.accessToken, tokenType: tokens.tokenType, at: now.seconds)
    grant.attributes = kept
    grant.take(tokens, at: now)
    // Before anything is stored, rejects a base URL on a host that is not allowed.
    _ = try provider.filled(with: grant.attributes, client: client, isComplete: true)
    grant.grantedScopes = tokens.scopes ?? scopes
    grant.declinedScopes = grant.missing(of: scopes)
    grant.redirectUri = redirectUri
    grant.isShortLived = provider.longLived.longLivedGrantType != nil
    return grant
  }

  /// Returns the grant with the user that the ID token names. An invalid ID token ends the sign-in and nothing is stored,
  /// because the other tokens may belong to any user.
  func identified(_ grant: Grant, by token: Secret?, _ validation: IDTokenValidation, nonce: Secret?) async throws -> Grant {
    var grant = grant
    if let token {
      let claims = try await validation.validated(token, nonce: nonce, accessToken: grant.accessToken, now: grant.issuedAt)
      grant.take(token, claims)
    } else if provider.issuer != nil, grant.grantedScopes.contains("openid") {
      // OpenID Connect Core, 3.1.3.3: the ID token is required. Without it the tokens' user is unknown.
      throw OAuthFailure.untrusted("openid was granted and no ID token came with the tokens")
    }
    try checkUser(grant.subject)
    return grant
  }

  /// Rejects a grant that would replace another user's. Runs under the account's lock, because another process may have signed a user in meanwhile.
  func checkUser(of grant: Grant, replacing previous: Grant?) throws(OAuthFailure) {
    guard request.interaction != .always, let previous, KnownUser(previous)?.isAnother(than: grant) == true else { return }
    var failure = Self.anotherUser
    failure.message += ": sign in as that user, use another account name, or replace the user with interaction \"always\""
    throw failure
  }
}
