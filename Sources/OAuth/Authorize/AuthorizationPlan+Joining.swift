import OAuthCore

/// Checks whether another request's sign-in or grant also serves this request.
extension AuthorizationPlan {
  /// Whether both setups have the same client and provider.
  func isOfClient(of other: AuthorizationPlan) -> Bool {
    (client == other.client || (registersClient && other.registersClient)) && provider.source == other.provider.source
  }

  /// Whether a request with `other` can join this sign-in: its page is the same, and this sign-in asks for all of its scopes.
  ///
  /// Provider, client, redirect URI, flow and parameters (`login_hint`, `prompt`, `hd`, …) must be equal.
  func isJoinable(by other: AuthorizationPlan) -> Bool {
    let (own, others) = (request.parameters, other.request.parameters)
    return isOfClient(of: other) && request.redirectUri == other.request.redirectUri && usesDevice == other.usesDevice
      && own.pairs.count == others.pairs.count && others.pairs.allSatisfy { own[$0.name] == $0.value }
      && other.scopes.allSatisfy { isAny(of: $0, in: scopes) }
  }

  /// Whether this request takes the place of the open sign-in `open`: with interaction `always`, that of the same client.
  ///
  /// Calls that step up for the same demand share one page. The newest call would otherwise cancel those before it.
  func replaces(_ open: AuthorizationPlan) -> Bool {
    guard request.interaction == .always, open.isOfClient(of: self) else { return false }
    return !(request.addsScopes && open.request.addsScopes && open.request.interaction == .always && open.isJoinable(by: self))
  }

  /// Whether the list has the scope under any of its names.
  private func isAny(of scope: String, in scopes: [String]) -> Bool {
    Grant.ScopeNames(provider.source["scopeAliases"]).all(of: scope).contains { scopes.contains($0) }
  }

  /// Whether this grant makes a sign-in unnecessary. A declined scope does not cause a new sign-in unless scopes are being added.
  func isMet(by grant: Grant, at now: Instant) -> Bool {
    matches(grant) && !grant.isRefreshRefused && missing(of: scopes(askedOf: grant), in: grant).isEmpty
      && accepts(lifeOf: grant, at: now)
      && (expectedSubject == nil || grant.subject == expectedSubject)
  }

  func missing(of asked: [String], in grant: Grant) -> [String] {
    grant.missing(of: asked).filter { request.addsScopes || !grant.declinedScopes.contains($0) }
  }

  /// Whether the token is valid for long enough. A token without refresh is not used shortly before it expires if the user can sign in.
  func accepts(lifeOf grant: Grant, at now: Instant) -> Bool {
    guard grant.lives(at: now) else { return false }
    guard request.interaction != .never, !grant.canRefresh(at: now.seconds), let end = grant.expiresAt else { return true }
    // At most half the lifetime, or a new token would be too old as well.
    return grant.lives(for: min(provider.request.signInAgainWithin, (end - grant.issuedAt) / 2), at: now)
  }

  /// Returns the result of the sign-in `signIn`, with the missing scopes of this request only.
  func answer(_ authorization: Authorization, of signIn: AuthorizationPlan) throws(OAuthFailure) -> Authorization {
    if expectedSubject != signIn.expectedSubject { try checkUser(authorization.subject) }
    var own = authorization
    own.missingScopes = scopes.filter { !isAny(of: $0, in: authorization.grantedScopes) }
    return own
  }
}
