import OAuthCore
import Plans
import Store

/// What a caller needs of an account's tokens. The only place that decides whether a grant is good enough.
package struct TokenUse: Sendable {
  /// What the caller wants beside the access token.
  package enum IDToken: Sendable {
    case ignored
    /// If a refresh brings no new ID token, a valid access token is enough. Some providers send none with a refresh.
    case wanted
    case needed
    /// An ID token that expires is renewed like the access token.
    case renewed
  }

  enum Verdict {
    case enough
    /// The grant is enough, and it is time to renew it. If that fails, it stays in use.
    indirect case due(Account.RefreshReason)
    indirect case refresh(Account.RefreshReason)
    /// The user has to sign in.
    case signIn(OAuthFailure.Reason)
  }

  package var validity: Grant.Validity
  package var idToken: IDToken
  /// Whether the user asks for a new access token.
  package var force: Bool

  package init(validity: Grant.Validity = .use, idToken: IDToken = .ignored, force: Bool = false) {
    (self.validity, self.idToken, self.force) = (validity, idToken, force)
  }

  /// Throws if no refresh helps.
  func verdict(on grant: Grant, at now: Instant) throws(OAuthFailure) -> Verdict {
    if idToken == .renewed { _ = try grant.usableToken() }
    let isRejected = grant.rejection?.client != nil
    func reason(withIDToken: Bool) -> Account.RefreshReason {
      .init(
        seen: grant.version, validity: validity, force: force || isRejected, isTokenRejected: isRejected,
        ignoresRejection: force, withIDToken: withIDToken)
    }
    let wantsIDToken = idToken != .ignored && grant.wantsIDToken(for: validity, at: now.seconds)
    let needed = validity == .handOut ? .use : validity
    if force || isRejected || !grant.isValid(for: needed, at: now) || (idToken == .renewed && wantsIDToken) {
      return .refresh(reason(withIDToken: idToken == .renewed))
    }
    if idToken == .needed, grant.validIDToken(at: now.seconds) == nil {
      guard grant.idToken != nil, grant.canRefresh(at: now.seconds) else { throw noIDToken(grant) }
      return .refresh(.init(seen: grant.version, force: true))
    }
    if grant.isDue(at: now) || (!grant.isValid(for: validity, at: now) && grant.canRefresh(at: now.seconds)) {
      return .due(.init(seen: grant.version, validity: validity, isAhead: true))
    }
    return wantsIDToken ? .due(reason(withIDToken: true)) : .enough
  }

  func noIDToken(_ grant: Grant) -> OAuthFailure {
    let why = grant.idToken == nil ? "the account has no ID token" : "the ID token has expired, and a refresh brings no other"
    return .signInRequired(.expired, account: grant.account, why: why, advice: .openid)
  }

  /// The verdict for a sign-in that a good grant makes unnecessary. Provider, client and scopes count as well.
  static func verdict(of plan: AuthorizationPlan, on grant: Grant, at now: Instant) throws(OAuthFailure) -> Verdict {
    guard plan.matches(grant), !plan.bindsTokens || grant.dpopKey != nil else { return .signIn(.noGrant) }
    func refresh(force: Bool) throws(OAuthFailure) -> Verdict {
      let isConfigured = !plan.request.sources.isEmpty || plan.isForClient && plan.client.configured.key != nil
      return .refresh(
        .init(
          seen: grant.version, force: force, isPlanned: true, client: try plan.client(newFor: grant),
          isClientOfRequest: plan.hasSecretOfRequest, plan: isConfigured ? plan : nil))
    }
    // The provider has ended this grant. A still valid access token does not help a user who wants to stay signed in.
    if grant.isRejected { throw grant.ended() }
    if grant.rejection?.client != nil { return try refresh(force: true) }
    if plan.request.isUserRequest, grant.doubtedAt != nil { return .signIn(.expired) }
    let asked = plan.scopes(askedOf: grant)
    let canRefresh = grant.canRefresh(at: now.seconds)
    // A refresh response may name the granted scopes (RFC 6749, 6), and it needs no page.
    if grant.unknownScopes == .notRefreshedYet, !asked.isEmpty, canRefresh { return try refresh(force: true) }
    guard plan.missing(of: asked, in: grant).isEmpty else { return .signIn(.scopesMissing) }
    guard plan.accepts(lifeOf: grant, at: now) else { return canRefresh ? try refresh(force: false) : .signIn(.expired) }
    return grant.isDue(at: now) ? .due(.init(seen: grant.version, isAhead: true)) : .enough
  }
}
