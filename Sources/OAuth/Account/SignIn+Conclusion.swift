import Loopback
import OAuthCore
import Plans
import Platform
import Store

/// The exchange from a redirect to the stored grant, and its cancellation.
extension SignIn {
  /// The result of exchanging a redirect.
  struct ExchangeResult: Sendable {
    var result: Result<Grant, any Error>
    /// The stored grant, and the one that `undo` restores.
    var saved: Account.SavedGrant?
    /// Another page that may return what the grant lacks.
    var next: (any SignInFlow)?
  }

  /// Takes a redirect that the exchange claims, from the listener or the client. Returns what the page shows.
  ///
  /// A redirect that was claimed just before the second page opened belongs to the first page. It must not use up the second.
  func receive(_ parameters: [RedirectParameter]) async throws -> ResultPage.Outcome {
    if isOpen, wait?.firstGrant != nil, !exchange.claims(parameters) { return .unfinished(provider: plan.provider.name) }
    return try await conclude { try await $0.conclude(parameters) }
  }

  /// Throws `CancellationError` when the caller is cancelled. The exchange then continues, because its code is used up.
  func conclude(_ obtain: @escaping @Sendable (any SignInFlow) async throws -> Grant) async throws -> ResultPage.Outcome {
    switch state {
    case .ended(let outcome, _): return outcome
    case .exchanging(let exchange): return try await exchange.shown.value()
    case .waiting(let wait):
      let shown = Promise<ResultPage.Outcome>()
      wait.deadline?.cancel()
      let exchangeResult = Task { await obtainGrant(obtain) }
      let conclusion = Task { await conclude(await exchangeResult.value) }
      state = .exchanging(Exchange(shown: shown, exchangeResult: exchangeResult, conclusion: conclusion, wait: wait))
      return try await shown.value()
    }
  }

  /// Lets the sign-in stay open for a request, which may wait for the end.
  nonisolated func join(_ waits: Bool) {
    currentPage.withLock { if waits { $0.waiting += 1 } else { $0.isForBackground = true } }
  }

  /// Removes a waiting request. Returns true if no other is left.
  @discardableResult nonisolated func leave() -> Bool {
    currentPage.withLock { page in
      page.waiting = max(0, page.waiting - 1)
      return page.waiting == 0 && !page.isForBackground
    }
  }

  /// Removes a waiting request, and ends the sign-in if no other is left. Returns false if one is left.
  func leave(_ reason: String, _ failure: any Error) async -> Bool {
    guard leave() else { return false }
    await stop(reason, failure)
    return true
  }

  /// Ends the sign-in. Its results are not stored.
  func endForSignOut() async {
    wait?.firstGrant = nil
    await stop("cancelled", cancelled)
  }

  /// Ends the sign-in at once, even while a code is being exchanged.
  private func stop(_ reason: String, _ failure: any Error) async {
    guard case .exchanging(var exchange) = state else { return await abandon(reason, failure) }
    if exchange.stopped == nil { exchange.stopped = (reason, failure) }
    state = .exchanging(exchange)
    exchange.exchangeResult.cancel()
    await exchange.conclusion.value
    await waitForEnd()
  }

  private func conclude(_ exchangeResult: ExchangeResult) async {
    guard case .exchanging(let exchange) = state else { return }
    if let stopped = exchange.stopped { return end(withoutGrant: stopped.failure, stopped.reason, undoing: exchangeResult.saved) }
    if case .success(let grant) = exchangeResult.result, let next = exchangeResult.next {
      begin(next, after: grant, exchange.wait)
      exchange.shown.settle(.success(.unfinished(provider: plan.provider.name)))
      return await showPage(for: plan.request)
    }
    var result = exchangeResult.result
    if case .failure(let failure) = result, let firstGrant = exchange.wait.firstGrant {
      if let failure = failure as? OAuthFailure { dependencies.emit(event(.failed(failure))) }
      result = .success(firstGrant)
    }
    end(result)
  }

  /// Begins the second page, which may return what the first page's grant lacks.
  private func begin(_ next: any SignInFlow, after grant: Grant, _ first: Wait) {
    let lifetime = min(plan.request.timeout, next.pageLifetime ?? .max)
    let prompt = SignInPrompt(id: prompt.id, url: next.url, expiresAt: dependencies.clock.now + lifetime, reason: .refreshTokenMissing)
    currentPage.withLock { page in (page.first, page.exchange, page.prompt) = (page.exchange, next, prompt) }
    var wait = first
    (wait.firstGrant, wait.end) = (grant, 0)
    state = .waiting(wait)
    startPage()
  }

  private func obtainGrant(_ obtain: @Sendable (any SignInFlow) async throws -> Grant) async -> ExchangeResult {
    var saved: Account.SavedGrant?
    do {
      let grant = try await obtain(exchange)
      let first = try await account.keep(grant) { [plan] previous in
        // The result of a stopped sign-in is not stored.
        try Task.checkCancellation()
        try plan.checkUser(of: grant, replacing: previous)
      }
      saved = first
      if let url = plan.provider.discovery { account.accounts.dependencies.servers.discoveries?.forgetChallenge(of: url) }
      var own = first.grant
      // The grant of the code is already stored. It survives if the process ends during the next exchange.
      if let longLived = await longLived(own), await account.replace(own, with: longLived) { own = longLived }
      let lookup = AccountLookupRequest(dependencies: dependencies, requestID: plan.request.requestID)
      if let found = await lookup.completed(own), await account.replace(own, with: found) { own = found }
      saved?.grant = own
      // There is no third page. The stored grant is valid even if no second page is available.
      let next = hasSecondPage ? nil : try? await exchange.consentRetry(for: own)
      return ExchangeResult(result: .success(own), saved: saved, next: next)
    } catch let failure as OAuthFailure {
      let failure = plan.namingRegistration(failure)
      if failure.advice == .registersAgain { await account.forgetClient(plan.client) }
      // No request may wait for this page. The next one then asks for less.
      _ = account.leavesOutOfflineAccess(plan, after: failure)
      return ExchangeResult(result: .failure(failure.of(plan.account)), saved: saved)
    } catch {
      return ExchangeResult(result: .failure(error), saved: saved)
    }
  }

  /// Returns the grant with a long-lived token, for providers with such a step; nil if there is nothing to exchange or the exchange failed.
  ///
  /// A failure is reported, and the login stays valid: the token of the sign-in is valid for a while, and the next refresh tries again.
  private func longLived(_ grant: Grant) async -> Grant? {
    guard grant.isShortLived else { return nil }
    do {
      return try await TokenEndpoint.renewed(grant, dependencies).grant
    } catch {
      // The event of a stopped sign-in reports the cancellation.
      guard !Task.isCancelled, var failure = (error as? OAuthFailure)?.of(grant.account) else { return nil }
      let what = failure.isRetryable ? "is not available yet" : "was rejected"
      failure.message =
        "a long-lived token \(what), so the short-lived token stays in use, and the next refresh requests a long-lived one again: \(failure.message)"
      dependencies.emit(event(.failed(failure)))
      return nil
    }
  }

  /// Restores the previous grant after the grant of a cancelled sign-in was stored.
  func undo(_ saved: Account.SavedGrant) async {
    do {
      try await account.restore(saved)
    } catch {
      dependencies.emit(
        event(.failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the previous grant could not be restored"))))
    }
  }
}

/// The ways in which a sign-in ends without a grant, and what its page shows.
extension SignIn {
  static func timedOut(_ timeout: Int, _ lifetime: Int? = nil) -> OAuthFailure {
    let problem =
      lifetime.map { "the user did not sign in within the \($0) s that the code was valid" }
      ?? "the sign-in was not finished within \(timeout) s"
    return OAuthFailure(.timedOut, problem, isRetryable: true).with(\.advice, .diagnose)
  }

  /// Returns the same with what a redirect reported that does not say which sign-in it is for.
  nonisolated func timedOut(_ timeout: Int, _ lifetime: Int? = nil) -> OAuthFailure {
    let failure = Self.timedOut(timeout, lifetime)
    guard let error = currentPage.withLock({ $0.statelessError }) else { return failure }
    return failure.with(\.problem, "\(failure.problem): a redirect without the state reported \(error)")
  }

  nonisolated var cancelled: OAuthFailure { ended("the sign-in was cancelled") }
  nonisolated var replaced: OAuthFailure { ended("another sign-in of the account replaced this one") }

  /// The failure of a request that wants a different page while this sign-in is open.
  nonisolated func inProgress(for other: AuthorizationPlan) -> OAuthFailure {
    // Interaction `always` replaces only a sign-in of the same client.
    let always = plan.isOfClient(of: other) ? " or authorize's interaction \"always\"" : ""
    return OAuthFailure(
      .signInInProgress, "another sign-in of the account is open: wait for it with awaitSignIn, or end it with signOut\(always)",
      details: [.init("signIn", .string(prompt.id))], isRetryable: true, account: plan.account)
  }

  private nonisolated func ended(_ message: String) -> OAuthFailure { .signInRequired(.noGrant, account: plan.account, message: message) }
}
