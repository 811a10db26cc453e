import Jansson
import OAuthCore

/// Replaces a grant's access token by the method of its protocol.
struct TokenExchange: Sendable {
  let dependencies: Dependencies
  var policy = TokenPauses.Policy.fails

  /// Returns the grant with new tokens, and the ID token of the response. A permanent rejection sets `refusesRefreshToken`.
  func renewed(_ grant: Grant) async throws -> (grant: Grant, idToken: Secret?) {
    let provider = try grant.resolvedProvider
    var renewed = grant
    renewed.generation += 1
    // Renews by session handle (OAuth Session 1.0 draft 1, 4).
    if let handle = grant.sessionHandle {
      let endpoints = try OAuth1Endpoints(
        account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
      let credentials = try await endpoints.renewal(of: try grant.signingToken(), sessionHandle: handle, policy)
      renewed.take(credentials, at: dependencies.clock.instant)
      return (renewed, nil)
    }
    let isShortLived = !grant.isForClient && grant.isShortLived && grant.isValid(for: 0, at: dependencies.clock.instant)
    let request: TokenRequest
    if let parameters = grant.clientParameters {
      // Sends the original request again (RFC 6749, 4.4).
      request = .client(scopes: grant.clientScopes ?? grant.grantedScopes, parameters: parameters)
    } else if let token = isShortLived ? grant.accessToken : grant.exchangeable {
      request = isShortLived ? .longLived(token) : .refresh(token, redirectUri: grant.redirectUri, scopes: grant.grantedScopes)
    } else {
      throw Self.cannotRefresh(grant, at: dependencies.clock.instant)
    }
    var tokens: TokenResponse
    do {
      tokens = try await TokenEndpoint(provider, grant.client, dependencies, policy).ask(request)
    } catch var failure as OAuthFailure {
      // A server that has deleted a self-registered client never accepts its tokens again. The next sign-in has another client.
      if grant.isClientRegistered, !grant.isForClient, failure["error"] == "invalid_client" { failure.refusesRefreshToken = true }
      throw failure
    }
    // The client's own token needs no refresh token (RFC 6749, 4.4.3), and it has no user.
    if grant.isForClient { (tokens.refreshToken, tokens.refreshTokenExpiry, tokens.idToken) = (nil, .unknown, nil) }
    if isShortLived { renewed.isShortLived = false }
    renewed.take(tokens, at: dependencies.clock.instant)
    return (renewed, tokens.idToken)
  }

  /// Returns the failure for a grant without a renewal token: the grant cannot be renewed, or the user has to sign in.
  static func cannotRefresh(_ grant: Grant, at now: Instant) -> OAuthFailure {
    if grant.isRefreshRefused { return .signInRequired(grant.reasonOfEnd, account: grant.account) }
    if grant.isRenewable { return .signInRequired(.expired, account: grant.account) }
    if grant.tokenSecret != nil, grant.isValid(for: 0, at: now) {
      // A sign-in would return another token of the same kind, and this one is still valid.
      return .unsupported("the token cannot be refreshed: it is valid until the service ends it").of(grant.account)
    }
    return .signInRequired(
      .expired, account: grant.account, message: "sign-in is required: the grant has no refresh token; call authorize")
  }
}
