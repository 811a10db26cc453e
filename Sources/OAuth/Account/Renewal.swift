import Jansson

/// What replaces a grant's access token, in its protocol's way.
struct Renewal: Sendable {
  let surroundings: Surroundings
  /// Whether a pause that the server asked for counts for nothing, because the user asks all the same.
  var overridesPause = false

  private var pace: TokenPace { TokenPace(surroundings, overrides: overridesPause) }

  /// The grant with new tokens, and the ID token that came with them; a refusal for good says so in `refusesRefreshToken`.
  func renewed(_ grant: Grant) async throws(OAuthFailure) -> (grant: Grant, idToken: Secret?) {
    let provider = try grant.resolvedProvider
    if let handle = grant.sessionHandle { return (try await renewed(grant, provider, by: handle), nil) }
    if let parameters = grant.clientParameters { return (try await renewed(grant, provider, forClientWith: parameters), nil) }
    let isShortLived = grant.isShortLived && grant.lives(for: 0, at: surroundings.instant)
    guard let token = isShortLived ? grant.accessToken : grant.exchangeable else {
      throw Self.nothingToRenewWith(grant, at: surroundings.instant)
    }
    let endpoint = TokenEndpoint(provider, grant.client, surroundings, pace)
    let tokens: TokenResponse
    do throws(OAuthFailure) {
      tokens = try await endpoint.ask(
        isShortLived ? .longLived(token) : .refresh(token, redirectUri: grant.redirectUri, scopes: grant.grantedScopes))
    } catch {
      var failure = error
      // A server that has forgotten a client that registered itself never takes its tokens again; the next sign-in has another client.
      if grant.isClientRegistered, error["error"] == "invalid_client" { failure.refusesRefreshToken = true }
      throw failure
    }
    var renewed = grant
    if isShortLived { renewed.isShortLived = false }
    renewed.take(tokens, at: surroundings.instant)
    renewed.generation += 1
    return (renewed, tokens.idToken)
  }

  /// RFC 6749, 4.4: the same request once more. A refresh token that came all the same (4.4.3) is not needed and not kept.
  private func renewed(
    _ grant: Grant, _ provider: Provider, forClientWith parameters: NamedValues<String>
  ) async throws(OAuthFailure) -> Grant {
    let endpoint = TokenEndpoint(provider, grant.client, surroundings, pace)
    var tokens = try await endpoint.ask(.client(scopes: grant.clientScopes ?? grant.grantedScopes, parameters: parameters))
    (tokens.refreshToken, tokens.refreshTokenExpiry) = (nil, .unknown)
    var renewed = grant
    renewed.take(tokens, at: surroundings.instant)
    renewed.generation += 1
    return renewed
  }

  /// OAuth Session 1.0 draft 1, 4.
  private func renewed(_ grant: Grant, _ provider: Provider, by handle: Secret) async throws(OAuthFailure) -> Grant {
    let endpoints = try OAuth1Endpoints(
      account: grant.account, client: grant.client, provider: provider, surroundings: surroundings)
    let credentials = try await endpoints.renewal(of: try grant.signingToken(), sessionHandle: handle, pace)
    var renewed = grant
    renewed.take(credentials, at: surroundings.instant)
    renewed.generation += 1
    return renewed
  }

  /// Why a grant that has nothing to renew it with stays as it is, or needs somebody to sign in.
  static func nothingToRenewWith(_ grant: Grant, at now: Instant) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(grant.isRefreshRefused ? grant.reasonOfEnd : .expired, account: grant.account)
    guard !grant.isRenewable, !grant.isRefreshRefused else { return failure }
    if grant.tokenSecret != nil, grant.lives(for: 0, at: now) {
      // A sign-in would bring another token of the same kind, and nothing is wrong with this one.
      return .unsupported("the token cannot be renewed: it is good until the service ends it").of(grant.account)
    }
    failure.message = "sign-in is required: there is no refresh token to replace the access token with"
    return failure
  }
}
