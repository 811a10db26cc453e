import Jansson

extension Grant {
  /// What is exchanged for a new access token: the refresh token, or the access token itself where that is the provider's way.
  package var exchangeable: Secret? { isSelfRenewing ? accessToken : refreshToken }

  /// Read from the description as it stands, because this is asked of every account that is listed.
  private var isSelfRenewing: Bool { provider["refreshStyle"] == "accessToken" }

  /// Whether there is something to get a new access token with.
  var isRenewable: Bool { exchangeable != nil || sessionHandle != nil || isForClient }

  /// Whether the token speaks for the client itself, which gets another one whenever it asks (RFC 6749, 4.4).
  var isForClient: Bool { clientParameters != nil }

  /// Why somebody has to sign in once the provider has ended the grant.
  var reasonOfEnd: OAuthFailure.Reason { isRenewable ? .refreshRefused : .expired }

  /// Whether a refresh may bring a new token. The announced end of a refresh token decides nothing: providers prolong it, clocks are wrong, and asking
  /// costs one request. An access token that is exchanged for the next one has to be valid for that.
  package func canRefresh(at now: Int) -> Bool {
    guard isRenewable, !isRefreshRefused else { return false }
    return !isSelfRenewing || isForClient || expiresAt.map { $0 > now } ?? true
  }

  /// Whether the announced end of what is exchanged has passed.
  func isPastRefreshing(at now: Int) -> Bool { refreshTokenExpiresAt.map { $0 <= now } ?? false }

  /// Whether the access token is to be renewed although it lives: it is yet to be exchanged for a long-lived one, or can be renewed only while it lives
  /// and its description says that it is time. Never before half its life, or a new one could be due as soon as it came.
  func isDue(at now: Instant) -> Bool {
    guard lives(for: 0, at: now), canRefresh(at: now.seconds) else { return false }
    if isShortLived { return true }
    guard case .integer(let within)? = provider["renewWithin"], let expiresAt else { return false }
    return expiresAt - now.seconds <= min(within, (expiresAt - issuedAt) / 2)
  }

  /// Takes over what an answer of the token endpoint brings. The old refresh token and the old scopes stay where it names none (RFC 6749, 6),
  /// unless a refresh token is good once.
  mutating func take(_ tokens: TokenResponse, at now: Instant) {
    accessToken = tokens.accessToken
    tokenType = tokens.tokenType
    issued = now
    expires = tokens.expiry.end(from: now)
    isRefreshRefused = false
    if tokens.refreshToken != nil || provider["refreshTokenUse"] == "once" {
      refreshToken = tokens.refreshToken
      refreshTokenExpiresAt = nil
    } else if isPastRefreshing(at: now.seconds) {
      // The server has just accepted it, so its announced end was wrong.
      refreshTokenExpiresAt = nil
    }
    if let end = tokens.refreshTokenExpiry.end(from: now.seconds) { refreshTokenExpiresAt = end }
    // One that came is taken when it has been believed; until then, what is kept says by itself how long it counts.
    idTokenExpiresAt = nil
    if let scopes = tokens.scopes {
      (grantedScopes, unknownScopes) = (scopes, nil)
    } else if unknownScopes != nil {
      unknownScopes = .untold
    }
    attributes = attributes.merged(with: tokens.attributes)
    if let way = tokens.clientAuthentication { remember(way) }
  }

  /// What was tried out once need not be tried again.
  private mutating func remember(_ way: TokenManner.ClientAuthentication) {
    provider = .object(
      Presets.merge([.init("clientAuthentication", .string(way.rawValue))], over: provider.members ?? []))
  }
}

extension OAuthFailure {
  /// Whether the server rejected what was exchanged. After the announced end of a refresh token any lasting error counts, unless it is about the client.
  func ends(_ grant: Grant, at now: Instant) -> Bool {
    if refusesRefreshToken { return true }
    return grant.isPastRefreshing(at: now.seconds) && kind == .authorizationServerError && !isRetryable && self["error"] != "invalid_client"
  }
}

extension NamedValues {
  /// These values with others put in or in their place.
  package func merged(with others: NamedValues) -> NamedValues {
    NamedValues(pairs.filter { others[$0.name] == nil } + others.pairs)
  }
}
