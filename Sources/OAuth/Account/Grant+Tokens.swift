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

  package func canRefresh(at now: Int) -> Bool {
    guard isRenewable, !isRefreshRefused else { return false }
    if isForClient { return true }
    guard let end = isSelfRenewing ? expiresAt : refreshTokenExpiresAt else { return true }
    return end > now
  }

  /// Whether the access token is to be renewed although it lives: it is yet to be exchanged for a long-lived one, or can be renewed only while it lives
  /// and its description says that it is time. Never before half its life, or a new one could be due as soon as it came.
  func isDue(at now: Int) -> Bool {
    guard lives(for: 0, at: now), canRefresh(at: now) else { return false }
    if isShortLived { return true }
    guard case .integer(let within)? = provider["renewWithin"], let expiresAt else { return false }
    return expiresAt - now <= min(within, (expiresAt - issuedAt) / 2)
  }

  /// Takes over what an answer of the token endpoint brings. The old refresh token and the old scopes stay where it names none (RFC 6749, 6),
  /// unless a refresh token is good once.
  mutating func take(_ tokens: TokenResponse, at now: Int) {
    accessToken = tokens.accessToken
    tokenType = tokens.tokenType
    issuedAt = now
    expiresAt = tokens.expiry.end(from: now)
    if tokens.refreshToken != nil || provider["refreshTokenUse"] == "once" {
      refreshToken = tokens.refreshToken
      refreshTokenExpiresAt = nil
    }
    if let end = tokens.refreshTokenExpiry.end(from: now) { refreshTokenExpiresAt = end }
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

extension NamedValues {
  /// These values with others put in or in their place.
  package func merged(with others: NamedValues) -> NamedValues {
    NamedValues(pairs.filter { others[$0.name] == nil } + others.pairs)
  }
}
