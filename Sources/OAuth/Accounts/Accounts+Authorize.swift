import OAuthCore
import Platform

extension Accounts {
  /// Returns a valid stored grant, else a refreshed one, else starts a sign-in or joins the open one.
  package func authorize(_ request: AuthorizationInput) async throws -> Authorization {
    let deadline = Deadline(in: request.timeout, dependencies.clock)
    do {
      return try await authorize(try settle(request), deadline)
    } catch let failure as OAuthFailure {
      throw request.account.map(failure.of) ?? failure
    }
  }

  private func authorize(_ plan: AuthorizationPlan, _ deadline: Deadline) async throws -> Authorization {
    let request = plan.request
    let reason: OAuthFailure.Reason
    if request.interaction == .always {
      reason = .noGrant
    } else {
      switch try await withTokenTimeout(plan.account, deadline.left, of: deadline.seconds, { try await self.usable(plan) }) {
      case .usable(let authorization):
        emit(plan.account, request.requestID, .authorized(authorization))
        return authorization
      case .unusable(let found): reason = found
      }
    }
    let isPageRefused = request.interaction == .never && !plan.isForClient
    // If no page is allowed, a newer description of the provider makes no difference.
    let plan = isPageRefused ? plan : try await rediscovered(plan, deadline)
    var asked = try await union(withFlow(plan))
    if isPageRefused { throw OAuthFailure.signInRequired(reason, account: plan.account) }
    // A refresh or a discovery may have used up the whole timeout.
    guard deadline.left > 0 else { throw SignIn.timedOut(deadline.seconds).of(plan.account) }
    asked.request.timeout = deadline.left
    do {
      try checkPlaces(of: asked)
      try await store.makeReady()
      if asked.isForClient { return try await authorizeClient(asked) }
      let signIn = try await signIns.enter(asked)
      guard request.waits else { return Authorization(pending: signIn.prompt, account: signIn.plan.account) }
      return try asked.answer(try await wait(for: signIn, deadline), of: signIn.plan)
    } catch let failure as OAuthFailure {
      throw failure.of(plan.account)
    }
  }

  /// Adds the scopes of the stored grant to those that are requested, because a new grant replaces the old one and its scopes.
  func union(_ plan: AuthorizationPlan) async throws -> AuthorizationPlan {
    guard let grant = try await refreshes.settled(plan.account) else { return plan }
    var asked = plan
    asked.knownUser = KnownUser(grant)
    // The client secret is needed when the sign-in ends.
    if let end = asked.clientSecretExpiresAt, end < now + asked.request.timeout { asked.registered = nil }
    guard plan.matches(grant) else { return asked }
    asked.scopes += grant.granted(beside: asked.scopes)
    if plan.request.addsScopes { asked.expect(grant) }
    return asked
  }

  /// Waits for an open sign-in, or returns how a recent one ended; nil if the id is unknown.
  package func awaitSignIn(id: String, timeout: Int?) async throws -> Authorization? {
    guard let signIn = await signIns.signIn(id: id) else { return nil }
    guard let timeout else { return try await signIn.authorization.value() }
    if let authorization = try await dependencies.clock.withTimeout(timeout, { try await signIn.authorization.value() }) {
      return authorization
    }
    throw OAuthFailure(
      .timedOut, "the sign-in is still open after \(timeout) s", isRetryable: true, account: signIn.plan.account)
  }

  /// Waits for the sign-in up to the caller's own deadline. When the last waiter leaves, the sign-in ends, because no caller would get its result.
  /// Throws `OAuthFailure.Reported` if the sign-in fails, and `OAuthFailure` if the caller's own time ends first.
  private func wait(for signIn: SignIn, _ deadline: Deadline) async throws -> Authorization {
    let timeout = deadline.seconds
    var left = deadline.left
    do {
      var hadSecondPage: Bool
      repeat {
        // If the sign-in asks for another page, that page gets the full timeout.
        hadSecondPage = signIn.hasSecondPage
        defer { left = timeout }
        if let authorization = try await dependencies.clock.withTimeout(max(1, left), { try await signIn.authorization.value() }) {
          signIn.leave()
          return authorization
        }
      } while signIn.hasSecondPage != hadSecondPage
    } catch {
      if error is CancellationError, Task.isCancelled {
        _ = await signIn.leave("cancelled", signIn.cancelled)
      } else {
        signIn.leave()
      }
      throw error
    }
    guard await signIn.leave("timedOut", SignIn.timedOut(timeout)) else { throw SignIn.timedOut(timeout) }
    return try await signIn.authorization.value()
  }

  private enum Usability {
    case usable(Authorization)
    case unusable(OAuthFailure.Reason)
  }

  private func usable(_ plan: AuthorizationPlan) async throws -> Usability {
    guard var grant = try await refreshes.settled(plan.account), plan.matches(grant) else { return .unusable(.noGrant) }
    // The provider has ended this grant. A still valid access token does not help a user who wants to stay signed in.
    if grant.isRefreshRefused { return .unusable(grant.reasonOfEnd) }
    if let better = grant.naming(hostsOf: plan.provider) {
      if await refreshes.replace(grant, with: better) {
        grant = better
      } else {
        // A refresh or a sign-out came first. The account's current grant is used as it is, and the next request names the hosts.
        guard let latest = try await refreshes.settled(plan.account), plan.matches(latest) else { return .unusable(.noGrant) }
        grant = latest
      }
    }
    let asked = plan.scopes(askedOf: grant)
    var via = Authorization.Source.stored
    do {
      if grant.unknownScopes == .unasked, !asked.isEmpty, grant.canRefresh(at: now) {
        // A refresh response may name the granted scopes (RFC 6749, 6), and it needs no page.
        let outcome = try await refreshes.refresh(
          plan.account, .init(seen: grant.generation, force: true, client: plan.client(newFor: grant)), requestID: plan.request.requestID)
        (grant, via) = (outcome.grant, .refreshed)
      }
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
    guard plan.missing(of: asked, in: grant).isEmpty else { return .unusable(.scopesMissing) }
    if plan.accepts(lifeOf: grant, at: dependencies.clock.instant) {
      let renewed = try await renewedAhead(grant, requestID: plan.request.requestID)
      return .usable(Authorization(renewed ?? grant, via: renewed == nil ? via : .refreshed, asked: asked, now: now))
    }
    guard grant.canRefresh(at: now) else { return .unusable(.expired) }
    do {
      let outcome = try await refreshed(
        grant, .init(seen: grant.generation, client: plan.client(newFor: grant)), requestID: plan.request.requestID)
      via = outcome.isPutOff ? .stored : .refreshed
      return .usable(Authorization(outcome.grant, via: via, asked: asked, now: now))
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      return .unusable(.refreshRefused)
    }
  }
}
