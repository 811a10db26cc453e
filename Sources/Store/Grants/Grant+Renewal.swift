import Jansson
import OAuthCore

extension Grant {
  /// The token that is exchanged for a new access token: the refresh token, or the access token itself if the provider works that way.
  package var exchangeable: Secret? { isSelfRenewing ? accessToken : refreshToken }

  /// Reads the undecoded description, because this is needed for every account of a listing.
  private var isSelfRenewing: Bool { provider["refreshStyle"] == "accessToken" }

  /// Whether the grant has anything that gets a new access token.
  package var isRenewable: Bool { exchangeable != nil || sessionHandle != nil || isForClient }

  /// Whether the token is the client's own. The client gets another one on every request (RFC 6749, 4.4).
  package var isForClient: Bool { clientParameters != nil }

  /// Marks the grant: the user has to sign in again. `reason` must contain no secret.
  package mutating func end(_ reason: String, demanding claims: String? = nil, at now: Int) {
    (isRejected, doubtedAt) = (true, nil)
    rejection = Rejection(at: now, reason: reason, claims: claims)
  }

  /// The failure of each use of a marked grant.
  package func ended(advice: OAuthFailure.Advice = .signIn) -> OAuthFailure {
    var failure = endedWithoutClaims(advice: advice)
    if let claims = rejection?.claims { failure.details.append(.init("claims", .string(claims))) }
    return failure
  }

  private func endedWithoutClaims(advice: OAuthFailure.Advice) -> OAuthFailure {
    guard isRenewable else { return .signInRequired(.expired, account: account, why: rejection?.reason, advice: advice) }
    guard isUntried, let rejection else { return .signInRequired(.refreshRefused, account: account, advice: advice) }
    let why = "\(OAuthFailure.firstRefresh): \(rejection.reason)"
    return .signInRequired(.refreshRefused, account: account, why: why, advice: .signInAgain)
  }

  /// Whether a refresh may return a new token. The announced expiry of a refresh token does not matter here.
  /// Providers extend it, clocks are wrong, and asking costs one request. An access token that is exchanged for the next one must be valid.
  package func canRefresh(at now: Int) -> Bool {
    guard isRenewable, !isRejected else { return false }
    return !isSelfRenewing || isForClient || expiresAt.map { $0 > now } ?? true
  }

  /// Whether the announced expiry of the exchanged token has passed.
  package func isPastRefreshing(at now: Int) -> Bool { refreshTokenExpiresAt.map { $0 <= now } ?? false }

  /// Whether a still valid access token must be renewed. It may need to be exchanged for a long-lived one.
  /// Or the description says that it is time, because the token cannot be renewed after its expiry.
  /// Never before half its lifetime, or a new token could be due at once.
  package func isDue(at now: Instant) -> Bool {
    guard isValid(for: 0, at: now), canRefresh(at: now.seconds) else { return false }
    if isShortLived { return true }
    guard case .integer(let seconds)? = provider["renewWithin"], let expiresAt else { return false }
    return expiresAt - now.seconds <= min(seconds, (expiresAt - issuedAt) / 2)
  }

  /// Whether the ID token expires within a minute and a refresh may bring another.
  ///
  /// Some providers return no ID token on refresh. The old one's expiry is then ignored, or every call would refresh.
  package func wantsIDToken(at now: Int) -> Bool {
    guard let idTokenExpiresAt, canRefresh(at: now) else { return false }
    return idTokenExpiresAt - now <= Grant.longestMargin
  }

  /// Returns the ID token if it is still valid. An access token usually ends at another time, so each has its own clock.
  package func validIDToken(at now: Int) -> Secret? {
    guard let idToken else { return nil }
    return idTokenEnd.map { $0 > now } ?? true ? idToken : nil
  }

  /// When the ID token ends, in Unix seconds, as its own claim `exp` says (RFC 7519, 4.1.4); nil if it has none that can be read.
  package var idTokenEnd: Int? {
    let parts = idToken?.value.split(separator: ".", omittingEmptySubsequences: false) ?? []
    guard parts.count == 3, let claims = try? Base64.decodeURL(String(parts[1])) else { return nil }
    return TokenExpiry.instant((try? JSON.parse(claims))?["exp"])
  }
}

/// Compares a grant with an earlier copy of it.
extension Grant {
  /// Whether this grant is unchanged since it was `other`. Generation numbers are not enough: they begin at 1 again after a sign-out.
  package func isSame(as other: Grant) -> Bool {
    generation == other.generation && accessToken == other.accessToken && refreshToken == other.refreshToken
      && sessionHandle == other.sessionHandle
  }

  /// Whether this grant came from `other` by refreshes alone. Earlier versions store no login; for them the generation numbers decide.
  package func descends(from other: Grant) -> Bool {
    if let login, let earlier = other.login, login != earlier { return false }
    return generation > other.generation
  }
}
