/// Whether a sign-in or a grant of somebody else's asking is the one that is wanted here.
extension AuthorizeSetup {
  /// Whether the same client asks the same provider.
  func isOfClient(of other: AuthorizeSetup) -> Bool {
    (client == other.client || (registersClient && other.registersClient)) && provider.source == other.provider.source
  }

  /// Whether whoever wants `other` can finish this page: what it brings must be kept under the same provider and client, and the redirect has to come
  /// to where it is waited for. Whatever the page is asked with (`login_hint`, `prompt`, `hd`, …) has to be the same where both name it, and what only
  /// the other one names is missing here.
  func isJoinable(by other: AuthorizeSetup) -> Bool {
    isOfClient(of: other) && request.redirectUri == other.request.redirectUri && usesDevice == other.usesDevice
      && other.request.parameters.pairs.allSatisfy { name, value in
        guard let own = request.parameters[name] else { return other.request.impliedParameters.contains(name) }
        return own == value
      }
  }

  /// Whether nobody has to sign in any more once this grant is there. A scope that was declined does not ask again, but for who adds it.
  func isMet(by grant: Grant, at now: Instant) -> Bool {
    matches(grant) && !grant.isRefreshRefused && missing(of: scopes(askedOf: grant), in: grant).isEmpty
      && accepts(lifeOf: grant, at: now)
      && (expectedSubject == nil || grant.subject == expectedSubject)
  }

  func missing(of asked: [String], in grant: Grant) -> [String] {
    grant.missing(of: asked).filter { request.addsScopes || !grant.declinedScopes.contains($0) }
  }

  /// Whether the token is valid for long enough. A token that nothing can replace is not used in its last days where the user can sign in.
  func accepts(lifeOf grant: Grant, at now: Instant) -> Bool {
    guard grant.lives(at: now) else { return false }
    guard request.interaction != .never, !grant.canRefresh(at: now.seconds), let end = grant.expiresAt else { return true }
    // Never more than half a life, or the new token would be too old as well.
    return grant.lives(for: min(provider.request.signInAgainWithin, (end - grant.issuedAt) / 2), at: now)
  }

  /// What a sign-in that `signIn` asked for has brought, as this request's own answer; nil where it lacks what was not asked for there.
  func answer(_ authorization: Authorization, of signIn: AuthorizeSetup) throws(OAuthFailure) -> Authorization? {
    if expectedSubject != signIn.expectedSubject { try checkUser(authorization.subject) }
    let names = ScopeNames(provider.source["scopeAliases"])
    var own = authorization
    own.missingScopes = scopes.filter { scope in !names.all(of: scope).contains { authorization.grantedScopes.contains($0) } }
    let wasAsked = own.missingScopes.allSatisfy { scope in names.all(of: scope).contains { signIn.scopes.contains($0) } }
    return wasAsked ? own : nil
  }
}
