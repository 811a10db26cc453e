import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// A stored grant, a refresh or a sign-in, whichever the request needs.
extension AccountRequest {
  /// Returns a valid stored grant, else a refreshed one, else starts a sign-in or joins the open one.
  func authorize() async throws -> Authorization {
    var request = self
    let plan = try await request.confirmedPlan()
    do {
      return try await request.authorize(plan)
    } catch let failure as OAuthFailure {
      throw blaming(failure.of(plan.account))
    } catch let reported as OAuthFailure.Reported {
      let error = blaming(reported.failure.of(plan.account))
      throw (error as? OAuthFailure).map { OAuthFailure.Reported($0, isFinal: reported.isFinal) } ?? error
    }
  }

  private func authorize(_ plan: AuthorizationPlan) async throws -> Authorization {
    var reason = OAuthFailure.Reason.noGrant
    var latest = plan.stored
    if plan.request.interaction != .always {
      switch try await accounts.withinTimeout(plan.account, deadline.left, of: deadline.seconds, { try await self.usable(plan) }) {
      case .usable(let authorization):
        accounts.emit(plan.account, plan.request.requestID, .authorized(authorization))
        return authorization
      case .unusable(let found, let grant): (reason, latest) = (found, grant)
      }
    }
    let forbidsPage = plan.request.interaction == .never && !plan.isForClient
    if !forbidsPage { try dependencies.limits.checkSignIn(plan.account) }
    // If no page is allowed, a newer description of the provider makes no difference.
    let (current, replaced) = forbidsPage ? (plan, latest) : try await rediscovered(plan, latest)
    var asked = try forSignIn(current, replacing: replaced?.described(by: dependencies.catalog))
    if forbidsPage {
      if let change = plan.issuerChange { throw OAuthFailure.issuerChanged(change, account: plan.account, advice: .ask) }
      let ended = latest.flatMap { reason != .noGrant && $0.isRejected ? $0.ended(advice: .ask) : nil }
      throw ended ?? OAuthFailure.signInRequired(reason, account: plan.account, advice: .ask)
    }
    // A refresh or a discovery may have used up the whole timeout.
    guard deadline.left > 0 else { throw SignIn.timedOut(deadline.seconds) }
    asked.request.timeout = deadline.left
    try asked.checkPlaces()
    if asked.isForClient { return try await authorizeClient(asked) }
    try await accounts.withinTimeout(asked.account, deadline.left, of: deadline.seconds, undone: accounts.unready) {
      try await accounts.store.makeReady()
    }
    do {
      return try await signIn(asked)
    } catch  where accounts[asked.account].leavesOutOfflineAccess(asked, after: error) {
      asked = try forSignIn(try await self.plan(), replacing: replaced)
      return try await signIn(asked)
    }
  }

  private func signIn(_ asked: AuthorizationPlan) async throws -> Authorization {
    let signIn = try await accounts[asked.account].joinOrOpenSignIn(asked)
    guard asked.request.waits else { return Authorization(pending: signIn.prompt, account: signIn.plan.account) }
    return try asked.answer(try await wait(for: signIn), of: signIn.plan)
  }

  /// Waits for the sign-in up to the caller's own deadline. When the last waiter leaves, the sign-in ends, because no caller would get its result.
  /// Throws `OAuthFailure.Reported` if the sign-in fails, and `OAuthFailure` if the caller's own time ends first.
  private func wait(for signIn: SignIn) async throws -> Authorization {
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
    guard await signIn.leave("timedOut", signIn.timedOut(timeout)) else { throw signIn.timedOut(timeout) }
    return try await signIn.authorization.value()
  }

  private enum Usability {
    case usable(Authorization)
    /// With the account's grant as it is by now.
    case unusable(OAuthFailure.Reason, Grant?)
  }

  private func usable(_ plan: AuthorizationPlan) async throws -> Usability {
    guard var grant = plan.stored else { return .unusable(.noGrant, nil) }
    let account = accounts[plan.account]
    if !dependencies.limits.isReadOnly, plan.matches(grant), !grant.isRejected, let better = grant.withLaterHosts(of: plan.provider) {
      if await account.replace(grant, with: better) {
        grant = better
      } else {
        // A refresh or a sign-out came first. The account's current grant is used as it is, and the next request names the hosts.
        guard let latest = try await account.currentAfterSaving() else { return .unusable(.noGrant, nil) }
        grant = latest
      }
    }
    var outcome = Account.Outcome(grant: grant, refreshed: false)
    var forced = 0
    do {
      while true {
        grant = outcome.grant
        let verdict = try TokenUse.verdict(of: plan, on: grant, at: dependencies.clock.instant)
        if case .signIn(let reason) = verdict { return .unusable(reason, grant) }
        let wasRefreshed = outcome.refreshed
        outcome = try await account.renewed(grant, verdict, plan.request.requestID)
        if case .refresh = verdict { outcome.refreshed = !outcome.isPutOff }
        outcome.refreshed = outcome.refreshed || wasRefreshed
        // After a refresh that finds out the granted scopes, the grant is looked at again.
        if case .refresh(let reason) = verdict, reason.force, forced < 2 {
          forced += 1
          continue
        }
        // The user has replaced it, and the next renewal must have it. No user knows a secret that the server has given in a registration.
        if plan.hasSecretOfRequest, !outcome.grant.isClientRegistered, let client = try plan.client(newFor: outcome.grant) {
          await account.note(outcome.grant) { $0.client = client }
        }
        let asked = plan.scopes(askedOf: outcome.grant)
        return .usable(Authorization(outcome.grant, via: outcome.refreshed ? .refreshed : .stored, asked: asked, now: accounts.now))
      }
    } catch let failure as OAuthFailure where failure.kind == .signInRequired {
      // The refresh has marked the grant, or found another.
      return try afterRefusal(failure, plan, try await account.currentAfterSaving())
    } catch var failure as OAuthFailure where failure.kind == .authorizationServerError && !failure.isRetryable {
      if plan.request.isUserRequest, !grant.isValid(at: dependencies.clock.instant) { return .unusable(.refreshRefused, grant) }
      // A sign-in would fail in the same way with a rejected client, and the client's own token needs none.
      if !grant.isForClient, failure.serverError != .invalidClient { failure.advice = .signInAgain }
      throw failure
    }
  }

  /// Returns that the user has to sign in. If another sign-in would bring no better grant, only a user who asks for one gets the page.
  private func afterRefusal(_ failure: OAuthFailure, _ plan: AuthorizationPlan, _ latest: Grant?) throws(OAuthFailure) -> Usability {
    if failure.advice == .signInAgain, !plan.request.isUserRequest, !plan.request.addsScopes { throw failure }
    return .unusable(failure["reason"]?.string.flatMap(OAuthFailure.Reason.init) ?? .refreshRefused, latest)
  }

  /// Requests a token for the client itself (RFC 6749, 4.4.2). Scopes that were not granted are reported and cause no second request.
  private func authorizeClient(_ asked: AuthorizationPlan) async throws -> Authorization {
    let (request, account) = (asked.request, accounts[asked.account])
    let mayBeStored = request.interaction != .always
    let outcome = try await dependencies.clock.withTimeout(request.timeout) {
      while true {
        // A caller that needs no plan does not share a failure of this one, such as of a wrong secret.
        let (running, other) = account.share(.init(isPlanned: true)) {
          try await account.obtain(asked) { mayBeStored && asked.isMet(by: $0, at: $1) }
        }
        guard other != nil else { return try await running.value() }
        // Another request has got the token.
        if var outcome = try? await running.value(), mayBeStored, asked.isMet(by: outcome.grant, at: account.dependencies.clock.instant) {
          outcome.refreshed = false
          return outcome
        }
        try Task.checkCancellation()
      }
    }
    guard let outcome else {
      throw OAuthFailure(.timedOut, "the authorization server issued no token within \(request.timeout) s", isRetryable: true)
    }
    let authorization = Authorization(outcome.grant, via: outcome.refreshed ? .signedIn : .stored, asked: asked.scopes, now: accounts.now)
    accounts.emit(asked.account, request.requestID, .authorized(authorization))
    return authorization
  }
}
