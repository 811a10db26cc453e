import Jansson

extension Accounts {
  /// A grant whose access token lives for `validity` seconds more, refreshed where that is needed, within `seconds`; `time` is the whole time that there was.
  ///
  /// With `withIDToken` the ID token has to live for a minute as well, where a refresh may replace it; that it could not be had is no reason to
  /// withhold an access token that lives.
  package func live(
    _ account: String, validity: Int? = nil, withIDToken: Bool = false, in seconds: Int = Accounts.patience, of time: Int? = nil,
    cause: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    if let grant = try await refreshes.saved(account) {
      let now = surroundings.instant
      // The usual case needs nothing of others, and so no limit of time.
      if grant.lives(for: validity, at: now), !grant.isDue(at: now), !(withIDToken && grant.wantsIDToken(at: now.seconds)) {
        return (grant, false)
      }
    }
    return try await inTime(account, seconds, of: time) {
      try await self.renewed(account, validity: validity, withIDToken: withIDToken, cause: cause)
    }
  }

  private func renewed(
    _ account: String, validity: Int?, withIDToken: Bool, cause: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    guard let grant = try await refreshes.settled(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    if grant.lives(for: validity, at: surroundings.instant) {
      if let renewed = try await renewedAhead(grant, cause: cause) { return (renewed, true) }
      guard withIDToken, grant.wantsIDToken(at: now) else { return (grant, false) }
      do {
        let outcome = try await refreshes.refresh(
          account, .init(seen: grant.generation, validity: validity, withIDToken: true), cause: cause)
        return (outcome.grant, outcome.refreshed)
      } catch is OAuthFailure {
        return (grant, false)
      }
    }
    let outcome = try await refreshed(grant, .init(seen: grant.generation, validity: validity), cause: cause)
    return (outcome.grant, outcome.refreshed)
  }

  /// Milliseconds that an old token must still live to be used where a new one could not be had.
  private static let lastUse = 5000

  /// The refreshed grant; or the grant as it is, where the refresh failed for a passing reason and its token can be used for a little longer. A caller that
  /// says how long the token has to live gets the failure.
  func refreshed(_ grant: Grant, _ need: Refreshes.Need, cause: JSON?) async throws -> Refreshes.Outcome {
    do {
      return try await refreshes.refresh(grant.account, need, cause: cause)
    } catch let failure as OAuthFailure where failure.isRetryable {
      guard !need.force, need.validity == nil, let left = grant.left(at: surroundings.instant), left >= Self.lastUse else { throw failure }
      // What the disk did not take is held in memory all the same.
      let latest = (try? await refreshes.current(grant.account)) ?? grant
      return Refreshes.Outcome(grant: latest, refreshed: false, isPutOff: true)
    }
  }

  /// The grant renewed although its token lives, where that is due (`Grant.isDue`); nil where it is not, was tried a moment ago, or went wrong.
  /// What went wrong is told and harms nobody who wants to use the token: it lives.
  func renewedAhead(_ grant: Grant, cause: JSON?) async throws -> Grant? {
    guard grant.isDue(at: surroundings.instant), await refreshes.mayRenewAhead(grant.account) else { return nil }
    do {
      let outcome = try await refreshes.refresh(grant.account, .init(seen: grant.generation, isAhead: true), cause: cause)
      return outcome.grant.generation > grant.generation ? outcome.grant : nil
    } catch var failure as OAuthFailure {
      failure.message = "the access token could not be renewed ahead of its end and is used as it is: \(failure.message)"
      tell(grant.account, cause, .failed(failure.of(grant.account)))
      // What the disk did not take is held in memory all the same.
      return try await refreshes.current(grant.account).flatMap { held in held.generation > grant.generation ? held : nil }
    }
  }

  /// A new access token after the service has refused this one; somebody else's newer one will do.
  func replace(_ grant: Grant, cause: JSON?) async throws -> Grant {
    try await refreshes.refresh(grant.account, .init(seen: grant.generation, force: true), cause: cause).grant
  }

  package func refresh(
    _ account: String, validity: Int? = nil, force: Bool, cause: JSON?
  ) async throws -> (authorization: Authorization, refreshed: Bool) {
    guard let grant = try await refreshes.settled(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    _ = try grant.usableToken()
    guard force || !grant.lives(for: validity, at: surroundings.instant) || grant.wantsIDToken(at: now) else {
      let renewed = try await renewedAhead(grant, cause: cause)
      return (Authorization(renewed ?? grant, via: renewed == nil ? .stored : .refreshed, asked: [], now: now), renewed != nil)
    }
    let outcome = try await refreshed(
      grant, .init(seen: grant.generation, validity: validity, force: force, insists: force, withIDToken: true), cause: cause)
    return (Authorization(outcome.grant, via: outcome.refreshed ? .refreshed : .stored, asked: [], now: now), outcome.refreshed)
  }

  /// Tells the provider to take the tokens back, then forgets them. The account's lock is held from before the grant is read, so that the tokens are
  /// revoked that another process has just received. Where the provider has no way, or takes only one of them back, the grant is forgotten all the
  /// same; when it could not be reached the grant is kept, for nothing is reported revoked that is not.
  package func revoke(_ account: String, cause: JSON?) async throws -> Revocation {
    await signIns.giveUp(account)
    guard try await refreshes.current(account) != nil else { throw Self.nothingToRevoke(account) }
    let lock = try await store.lock(account)
    defer { withExtendedLifetime(lock) {} }
    guard let grant = try await refreshes.current(account) else { throw Self.nothingToRevoke(account) }
    let provider = try grant.resolvedProvider
    var outcomes: (revoked: [Revocation.Token], refused: [Revocation.Token]) = ([], [])
    let tokens: [(Revocation.Token, Secret?, String)] = [
      (.refreshToken, grant.refreshToken, "refresh_token"), (.accessToken, grant.accessToken, "access_token"),
    ]
    for (name, token, hint) in tokens where provider.revocation.tells(hint) {
      guard let token else { continue }
      switch try await revoke(token, hint, grant, provider) {
      case .revoked: outcomes.revoked.append(name)
      case .unsupported: outcomes.refused.append(name)
      case .failed(let failure): throw failure.of(account)
      }
    }
    var revocation = Revocation(revoked: outcomes.revoked, refused: outcomes.refused, of: grant, at: now)
    revocation.logoutURL = grant.logoutURL(provider)
    try await refreshes.forget(account, holding: lock)
    tell(account, cause, .revoked(revocation))
    return revocation
  }

  private static func nothingToRevoke(_ account: String) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(.noGrant, account: account)
    failure.message = "nothing is kept for this account, so there is nothing to revoke"
    return failure
  }

  /// Forgets the account here and tells the provider nothing.
  package func signOut(_ account: String) async throws -> (wasKnown: Bool, logoutURL: String?) {
    await signIns.giveUp(account)
    let grant = try await refreshes.current(account)
    try await refreshes.forget(account)
    // Whatever is wrong with a description, it is forgotten now.
    return (grant != nil, grant.flatMap { grant in (try? grant.resolvedProvider).flatMap(grant.logoutURL) })
  }

  /// What a call found out of a token is kept if it can be; that it cannot does not change what the service answered.
  func end(_ grant: Grant) async {
    do {
      try await refreshes.end(grant)
    } catch is CancellationError {
      // Nobody waits any more, and the next call finds out the same.
    } catch {
      tell(grant.account, nil, .failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the grant could not be marked")))
    }
  }

  private func revoke(_ token: Secret, _ hint: String, _ grant: Grant, _ provider: Provider) async throws -> RevocationRequest.Outcome {
    if provider.revocation.revocationStyle == .signed {
      return try await SignedRevocation(grant: grant, provider: provider, surroundings: surroundings).send()
    }
    guard let request = RevocationRequest(token: token, hint: hint).httpRequest(provider, grant.client) else { return .unsupported }
    do throws(HTTPFailure) {
      let hidden = Redaction([token], client: grant.client, provider: provider)
      return RevocationRequest.outcome(try await surroundings.http.send(request, to: provider), provider.answer, hiding: hidden)
    } catch {
      throw OAuthFailure(error).of(grant.account)
    }
  }
}
