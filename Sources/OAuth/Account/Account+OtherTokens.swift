import Jansson
import OAuthCore
import Platform
import Store

/// Other tokens of the login: for some of its scopes, or for another resource or audience.
extension Account {
  /// Returns the login's grant with a valid token for the terms in the place of its own. Requests one if none is stored, or if that one is `rejected`.
  ///
  /// All requests of an account wait for each other, also those of other processes. The one that comes second finds the token of the first.
  func otherGrant(
    _ terms: TokenTerms, validity: Grant.Validity = .use, insteadOf rejected: Secret? = nil, requestID: JSON?
  ) async throws -> Outcome {
    var hasRenewed = false
    while true {
      try Task.checkCancellation()
      var grant = try await present(requestID: requestID)
      if grant.isRejected { throw grant.ended() }
      if let found = stored(terms, in: grant, validity, rejected) { return Outcome(grant: found, refreshed: false) }
      if let refusal = life.refusal(of: terms, for: grant.login, at: dependencies.clock.now) { throw refusal }
      var request = try OtherTokenRequest(terms, of: grant)
      if case .exchange = request.way { grant = try await self.grant(for: TokenUse(), requestID).grant }
      if request.needsPlainRefresh {
        grant = try await renew(grant, .init(seen: grant.version, force: true), requestID).grant
        request = try OtherTokenRequest(terms, of: grant)
      }
      let (client, call) = (try await accounts.credentials.withSecret(grant).client, try await ownCall(request))
      let (running, other) = share(.init(terms: terms)) { [self] in
        try await change(forRefresh: true) { try await obtained(&$0, terms, client, call, validity, rejected) }
      }
      do {
        let outcome = try await result(of: running)
        if other == nil || (other?.terms == terms && outcome.grant.accessToken != rejected) { return outcome }
      } catch let failure as OAuthFailure {
        guard other == nil || other?.terms == terms || life.refresh.running?.promise === running else { continue }
        // The server may have ended the login's access token before its time.
        if case .exchange = request.way, !hasRenewed,
          ["invalid_grant", "invalid_request", "invalid_token"].contains(failure["error"]?.string)
        {
          _ = try await renew(grant, .init(seen: grant.version, force: true), requestID)
          hasRenewed = true
          continue
        }
        throw try await judged(failure, request, grant, requestID)
      } catch is Replaced {
        continue
      }
    }
  }

  /// Returns the client's own request with what the configuration has; nil for a user's login.
  private func ownCall(_ request: OtherTokenRequest) async throws -> ClientCall? {
    guard case .own = request.way, try accounts.isForClient(name) else { return nil }
    return try await accounts.credentials.call(try await accounts.clientPlan(name))
  }

  func stored(_ terms: TokenTerms, in grant: Grant, _ validity: Grant.Validity, _ rejected: Secret?) -> Grant? {
    guard let token = grant.other(terms), token.accessToken != rejected else { return nil }
    let found = grant.using(token)
    return found.isValid(for: validity, at: dependencies.clock.instant) ? found : nil
  }

  /// Sends the request under the account's lock. A new refresh token is stored in any case, because it may have ended the old one.
  private func obtained(
    _ hold: inout Hold, _ terms: TokenTerms, _ client: Client, _ call: ClientCall?, _ validity: Grant.Validity, _ rejected: Secret?
  ) async throws -> Outcome {
    try send()
    guard var grant = try hold.grant else { throw OAuthFailure.signInRequired(.noGrant, account: name) }
    if grant.isRejected { throw grant.ended() }
    if let found = stored(terms, in: grant, validity, rejected) { return Outcome(grant: found, refreshed: false) }
    // A sign-in or a refresh may have changed since what the server keeps.
    let request = try OtherTokenRequest(terms, of: grant)
    if request.needsPlainRefresh { throw Replaced() }
    if client.id == grant.client.id, !client.configured.isEmpty { grant.client.take(client) }
    let reservation = try await reservation(for: grant)
    try send()
    let tokens: TokenRequest.Response
    do {
      tokens = try await request.send(grant, dependencies, asking: call)
    } catch let error as OAuthFailure {
      if request.isRefresh { try await storeRotated(error.rotatedRefreshToken, of: grant, &hold, in: reservation) }
      throw error.of(name)
    }
    guard await hold.latest(after: grant)?.generation == grant.generation else { throw Replaced() }
    var fresh = grant
    if request.isRefresh { fresh.takeRefreshToken(of: tokens) }
    fresh.hasGivenOthers = true
    let token = Result { () throws(OAuthFailure) in try request.token(tokens, of: grant) }
    if let token = try? token.get() { fresh.add(token, at: dependencies.clock.instant) }
    if fresh != grant {
      fresh.generation += 1
      try await hold.store(fresh, in: reservation, isToken: true)
    }
    return Outcome(grant: fresh.using(try token.mapError { $0.of(name) }.get()), refreshed: true)
  }

  /// Returns what a failed request says. No refusal of it ends the login: only a plain refresh tells whether the login lives.
  private func judged(_ failure: OAuthFailure, _ request: OtherTokenRequest, _ grant: Grant, _ requestID: JSON?) async throws
    -> OAuthFailure
  {
    guard [.signInRequired, .authorizationServerError, .unsupportedByProvider].contains(failure.kind), !failure.isRetryable,
      failure.serverError != .invalidClient
    else { return failure }
    var judged = failure
    let wantsConsent = failure["suberror"]?.string == "consent_required" || failure["errorCodes"]?.array?.contains(65001) == true
    if wantsConsent || [.invalidScope, .consentRequired, .interactionRequired, .accessDenied].contains(failure.serverError) {
      judged = request.scopesMissing(name, failure.problem, claims: failure["claims"])
    } else if [.invalidGrant, .loginRequired].contains(failure.serverError) {
      _ = try await renew(grant, .init(seen: grant.version, force: true), requestID)
    }
    judged.refusal = nil
    lives.change(key) { [judged, now = dependencies.clock.now] in $0.remember(judged, of: request.terms, for: grant.login, at: now) }
    return judged
  }

  /// Forgets the tokens for the terms here. The server is not asked: many end the whole login by the revocation of one token. Returns whether there was one.
  func forget(_ terms: TokenTerms) async throws -> Bool {
    try await change { hold in
      guard var grant = try hold.grant, grant.other(terms) != nil else { return false }
      grant.others.removeAll { $0.terms == terms }
      grant.generation += 1
      try await hold.store(grant)
      return true
    }
  }
}

/// A sign-in has replaced the grant during the request.
struct Replaced: Error {}
