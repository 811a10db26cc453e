import Jansson
import OAuthCore

extension Accounts {
  /// Returns a grant whose access token is valid for `validity` more seconds, and refreshes it if needed.
  /// Times out after `seconds`; the message names `time`.
  ///
  /// With `withIDToken`, the ID token must be valid for another minute if a refresh can replace it.
  /// If no new ID token is available, a valid access token is returned all the same.
  package func usableGrant(
    _ account: String, validity: Int? = nil, withIDToken: Bool = false, in seconds: Int = Accounts.patience, of time: Int? = nil,
    requestID: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    if let grant = try await refreshes.saved(account) {
      let now = dependencies.clock.instant
      // The usual case needs no network and no lock, and therefore no timeout.
      if grant.isValid(for: validity, at: now), !grant.isDue(at: now), !(withIDToken && grant.wantsIDToken(at: now.seconds)) {
        return (grant, false)
      }
    }
    return try await withinTimeout(account, seconds, of: time) {
      try await self.renewed(account, validity: validity, withIDToken: withIDToken, requestID: requestID)
    }
  }

  private func renewed(
    _ account: String, validity: Int?, withIDToken: Bool, requestID: JSON?
  ) async throws -> (grant: Grant, refreshed: Bool) {
    guard let grant = try await refreshes.settled(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    if grant.isValid(for: validity, at: dependencies.clock.instant) {
      if let renewed = try await renewedEarly(grant, requestID: requestID) { return (renewed, true) }
      guard withIDToken, grant.wantsIDToken(at: now) else { return (grant, false) }
      do {
        let outcome = try await refreshes.refresh(
          account, .init(seen: grant.generation, validity: validity, withIDToken: true), requestID: requestID)
        return (outcome.grant, outcome.refreshed)
      } catch is OAuthFailure {
        return (grant, false)
      }
    }
    let outcome = try await refreshed(grant, .init(seen: grant.generation, validity: validity), requestID: requestID)
    return (outcome.grant, outcome.refreshed)
  }

  /// Minimum remaining validity in milliseconds of an old token that is used because the refresh failed.
  private static let lastUse = 5000

  /// Returns the refreshed grant. If the refresh fails for a temporary reason and the token is still usable, returns the grant as it is.
  /// A caller that requires a validity gets the failure.
  func refreshed(_ grant: Grant, _ need: TokenRefresher.RefreshReason, requestID: JSON?) async throws -> TokenRefresher.Outcome {
    do {
      return try await refreshes.refresh(grant.account, need, requestID: requestID)
    } catch let failure as OAuthFailure where failure.isRetryable {
      guard !need.force, need.validity == nil, let left = grant.left(at: dependencies.clock.instant), left >= Self.lastUse else {
        throw failure
      }
      // Memory holds the grant even if the disk write failed.
      let latest = (try? await refreshes.current(grant.account)) ?? grant
      return TokenRefresher.Outcome(grant: latest, refreshed: false, isPutOff: true)
    }
  }

  /// Renews a grant whose token is still valid but due for renewal (`Grant.isDue`).
  /// Returns nil if it is not due, was tried recently, or the renewal failed.
  /// A failure is reported and does not stop the caller, because the token is still valid.
  func renewedEarly(_ grant: Grant, requestID: JSON?) async throws -> Grant? {
    guard grant.isDue(at: dependencies.clock.instant), await refreshes.mayRenewEarly(grant.account) else { return nil }
    do {
      let outcome = try await refreshes.refresh(grant.account, .init(seen: grant.generation, isAhead: true), requestID: requestID)
      return outcome.grant.generation > grant.generation ? outcome.grant : nil
    } catch var failure as OAuthFailure {
      failure.message = "the access token could not be renewed early and is used unchanged: \(failure.message)"
      emit(grant.account, requestID, .failed(failure.of(grant.account)))
      // Memory holds the grant even if the disk write failed.
      return try await refreshes.current(grant.account).flatMap { held in held.generation > grant.generation ? held : nil }
    }
  }

  /// Returns a new access token after the service rejected this one. A newer token of another process or request is enough.
  func replace(_ grant: Grant, requestID: JSON?) async throws -> Grant {
    try await refreshes.refresh(grant.account, .init(seen: grant.generation, force: true), requestID: requestID).grant
  }

  package func refresh(
    _ account: String, validity: Int? = nil, force: Bool, requestID: JSON?
  ) async throws -> (authorization: Authorization, refreshed: Bool) {
    guard let grant = try await refreshes.settled(account) else { throw OAuthFailure.signInRequired(.noGrant, account: account) }
    _ = try grant.usableToken()
    guard force || !grant.isValid(for: validity, at: dependencies.clock.instant) || grant.wantsIDToken(at: now) else {
      let renewed = try await renewedEarly(grant, requestID: requestID)
      return (Authorization(renewed ?? grant, via: renewed == nil ? .stored : .refreshed, asked: [], now: now), renewed != nil)
    }
    let outcome = try await refreshed(
      grant, .init(seen: grant.generation, validity: validity, force: force, insists: force, withIDToken: true), requestID: requestID)
    return (Authorization(outcome.grant, via: outcome.refreshed ? .refreshed : .stored, asked: [], now: now), outcome.refreshed)
  }

  /// Asks the provider to revoke the tokens, then forgets them.
  /// Takes the account's lock before it reads the grant: tokens that another process has just received are then revoked too.
  ///
  /// Forgets the grant even if the provider has no revocation or revokes only one of the tokens.
  /// If the provider could not be reached, the grant stays stored, because it is not revoked.
  package func revoke(_ account: String, requestID: JSON?) async throws -> Revocation {
    await signIns.endForSignOut(account)
    guard try await refreshes.current(account) != nil else { throw Self.nothingToRevoke(account) }
    let lock = try await store.lock(account)
    defer { withExtendedLifetime(lock) {} }
    guard let grant = try await refreshes.current(account) else { throw Self.nothingToRevoke(account) }
    let provider = try grant.resolvedProvider
    var outcomes: (revoked: [Revocation.Token], refused: [Revocation.Token]) = ([], [])
    let tokens: [(Revocation.Token, Secret?, String)] = [
      (.refreshToken, grant.refreshToken, "refresh_token"), (.accessToken, grant.accessToken, "access_token"),
    ]
    for (name, token, hint) in tokens where provider.revocation.includes(hint) {
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
    emit(account, requestID, .revoked(revocation))
    return revocation
  }

  private static func nothingToRevoke(_ account: String) -> OAuthFailure {
    .signInRequired(.noGrant, account: account, message: "no grant is stored for this account, so there is nothing to revoke")
  }

  /// Forgets the account here. The provider is not asked to revoke anything.
  package func signOut(_ account: String) async throws -> (wasKnown: Bool, logoutURL: String?) {
    await signIns.endForSignOut(account)
    let grant = try await refreshes.current(account)
    try await refreshes.forget(account)
    // A fault in the description does not matter here, because the grant is already forgotten.
    return (grant != nil, grant.flatMap { grant in (try? grant.resolvedProvider).flatMap(grant.logoutURL) })
  }

  /// Stores what a call found out about a token. A failure to store does not change the service's response.
  func end(_ grant: Grant) async {
    do {
      try await refreshes.end(grant)
    } catch is CancellationError {
      // The caller has stopped waiting, and the next call finds out the same.
    } catch {
      emit(grant.account, nil, .failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the grant could not be marked")))
    }
  }

  private func revoke(_ token: Secret, _ hint: String, _ grant: Grant, _ provider: Provider) async throws -> RevocationRequest.Outcome {
    if provider.revocation.revocationStyle == .signed {
      return try await OAuth1Endpoints.revoke(grant, provider, dependencies)
    }
    guard let request = RevocationRequest(token: token, hint: hint).httpRequest(provider, grant.client) else { return .unsupported }
    let response: HTTPResponse
    do {
      response = try await dependencies.exchange(request, to: provider, for: grant.account, as: "revoke")
    } catch let failure as OAuthFailure {
      throw failure.of(grant.account)
    }
    return RevocationRequest.outcome(response, provider.answer, hiding: Redaction([token], client: grant.client, provider: provider))
  }

  /// Returns the grant with the `afterSignIn` values. They are missing if an earlier version signed in or the request failed.
  func completed(_ grant: Grant, requestID: JSON?) async -> Grant {
    guard grant.provider["afterSignIn"] != nil, (try? AccountLookupRequest.needed(by: grant)) != nil else { return grant }
    return await refreshes.completed(grant, requestID: requestID) ?? grant
  }

  /// Asks the authorization server about the account's access token (RFC 7662, 2.1). Does not refresh a token that is about to expire, because the
  /// question is about the current token.
  package func introspect(_ account: String) async throws -> (isActive: Bool, claims: JSON) {
    let grant = try grant(account)
    let provider = try grant.resolvedProvider
    let token = try grant.usableToken()
    guard let endpoint = provider.introspectionEndpoint else {
      throw OAuthFailure.unsupported("the provider's description has no introspectionEndpoint").of(account)
    }
    let form = [("token", token.value), ("token_type_hint", "access_token")]
    let response: HTTPResponse
    do {
      let request = HTTPRequest.form(endpoint, form, provider, grant.client)
      response = try await dependencies.exchange(request, to: provider, for: account, as: "introspect")
    } catch let failure as OAuthFailure {
      throw failure.of(account)
    }
    let hidden = Redaction([token], client: grant.client, provider: provider)
    if let failure = TokenAnswer(response, hiding: hidden).failure { throw failure.of(account) }
    guard case .spliced(let bytes) = JSONScan.splice(response.body), case .bool(let isActive)? = try? JSON.parse(bytes)["active"] else {
      throw OAuthFailure.untrusted("the introspection endpoint's answer does not say whether the token is active").of(account)
    }
    return (isActive, .verbatim(bytes))
  }
}
