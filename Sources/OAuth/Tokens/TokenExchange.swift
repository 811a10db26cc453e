import Jansson
import OAuthCore

/// Replaces a grant's access token by the method of its protocol.
struct TokenExchange: Sendable {
  let dependencies: Dependencies
  var policy = TokenPauses.Policy.fails

  /// Returns the grant with new tokens, and the ID token of the response. A permanent rejection sets `refusesRefreshToken`.
  func renewed(_ grant: Grant) async throws -> (grant: Grant, idToken: Secret?) {
    let provider = try grant.resolvedProvider
    if let handle = grant.sessionHandle { return (try await renewed(grant, provider, by: handle), nil) }
    if let parameters = grant.clientParameters { return (try await renewed(grant, provider, forClientWith: parameters), nil) }
    let isShortLived = grant.isShortLived && grant.isValid(for: 0, at: dependencies.clock.instant)
    guard let token = isShortLived ? grant.accessToken : grant.exchangeable else {
      throw Self.cannotRefresh(grant, at: dependencies.clock.instant)
    }
    let endpoint = TokenEndpoint(provider, grant.client, dependencies, policy)
    let tokens: TokenResponse
    do {
      tokens = try await endpoint.ask(
        isShortLived ? .longLived(token) : .refresh(token, redirectUri: grant.redirectUri, scopes: grant.grantedScopes))
    } catch var failure as OAuthFailure {
      // A server that has deleted a self-registered client never accepts its tokens again. The next sign-in has another client.
      if grant.isClientRegistered, failure["error"] == "invalid_client" { failure.refusesRefreshToken = true }
      throw failure
    }
    var renewed = grant
    if isShortLived { renewed.isShortLived = false }
    renewed.take(tokens, at: dependencies.clock.instant)
    renewed.generation += 1
    return (renewed, tokens.idToken)
  }

  /// Sends the original request again (RFC 6749, 4.4). A refresh token in the response (4.4.3) is not needed and not stored.
  private func renewed(
    _ grant: Grant, _ provider: Provider, forClientWith parameters: NamedValues<String>
  ) async throws -> Grant {
    let endpoint = TokenEndpoint(provider, grant.client, dependencies, policy)
    var tokens = try await endpoint.ask(.client(scopes: grant.clientScopes ?? grant.grantedScopes, parameters: parameters))
    (tokens.refreshToken, tokens.refreshTokenExpiry) = (nil, .unknown)
    var renewed = grant
    renewed.take(tokens, at: dependencies.clock.instant)
    renewed.generation += 1
    return renewed
  }

  /// Renews by session handle (OAuth Session 1.0 draft 1, 4).
  private func renewed(_ grant: Grant, _ provider: Provider, by handle: Secret) async throws -> Grant {
    let endpoints = try OAuth1Endpoints(
      account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
    let credentials = try await endpoints.renewal(of: try grant.signingToken(), sessionHandle: handle, policy)
    var renewed = grant
    renewed.take(credentials, at: dependencies.clock.instant)
    renewed.generation += 1
    return renewed
  }

  /// Returns the failure for a grant without a renewal token: the grant cannot be renewed, or the user has to sign in.
  static func cannotRefresh(_ grant: Grant, at now: Instant) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(grant.isRefreshRefused ? grant.reasonOfEnd : .expired, account: grant.account)
    guard !grant.isRenewable, !grant.isRefreshRefused else { return failure }
    if grant.tokenSecret != nil, grant.isValid(for: 0, at: now) {
      // A sign-in would return another token of the same kind, and this one is still valid.
      return .unsupported("the token cannot be refreshed: it is valid until the service ends it").of(grant.account)
    }
    failure.message = "sign-in is required: the grant has no refresh token; call authorize"
    return failure
  }
}
