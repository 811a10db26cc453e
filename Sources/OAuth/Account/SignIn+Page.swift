import Jansson
import Loopback
import OAuthCore
import Store
import Synchronization

/// Opening the page of a sign-in for the user.
extension SignIn {
  /// Seconds during which several requests for the same page open one tab, such as the parts of an editor when it starts.
  /// After that, a user who has closed the tab and asks again gets another. The same applies between the processes of one store.
  static let secondsBetweenTabs = 10

  /// Starts the lifetime of the exchange's page and the deadline of the sign-in.
  func startPage() {
    let now = dependencies.clock.now
    pageEnd = exchange.pageLifetime.map { now + $0 }
    endsAt = min(now + plan.request.timeout, userCodeExpiresAt ?? .max)
    startDeadline(plan.request.timeout)
    noteRedirect()
  }

  /// Adds a request to the sign-in and asks for the page again. Returns false if the sign-in has just ended.
  func join(_ request: AuthorizationInput) async throws -> Bool {
    try await freshenPage()
    if case .exchanging(let exchange) = state, exchange.stopped != nil { await exchange.conclusion.value }
    if case .ended = state {
      await waitForEnd()
      return false
    }
    currentPage.withLock { $0.waiters.append(.init(request)) }
    guard isOpen else { return true }
    let end = min(dependencies.clock.now + request.timeout, userCodeExpiresAt ?? .max)
    if end > endsAt {
      endsAt = end
      startDeadline(request.timeout)
    }
    currentPage.withLock { $0.prompt.expiresAt = max($0.prompt.expiresAt, min(end, pageEnd ?? .max)) }
    await showPage(for: request)
    return true
  }

  /// Replaces a page that can no longer be opened. A page that the user opened before stays valid.
  func freshenPage() async throws {
    guard isOpen, let pageEnd, dependencies.clock.now >= pageEnd, let fresh = try await exchange.withFreshPage(), isOpen else { return }
    let end = dependencies.clock.now + (fresh.pageLifetime ?? 0)
    self.pageEnd = fresh.pageLifetime.map { _ in end }
    currentPage.withLock { page in
      page.exchange = fresh
      page.prompt.url = fresh.url
      page.prompt.expiresAt = min(endsAt, self.pageEnd ?? .max)
    }
  }

  /// Reports the page, and opens it unless it was opened a moment ago.
  func showPage(for request: AuthorizationInput) async {
    let hasNoBrowser = request.opensBrowser && !dependencies.hasBrowser(by: request.browser)
    reportPage(opened: hasNoBrowser ? false : nil, requestID: request.requestID)
    if hasNoBrowser { dependencies.log(.browserNotStarted(account: plan.account)) }
    guard request.opensBrowser, !hasNoBrowser, isTabDue else { return }
    // A request with interaction `always` gets its own page. The second page continues what the user has just done.
    let isOwn = plan.request.interaction == .always || firstGrant != nil
    guard pageLock == nil else { return open() }
    let turn = await dependencies.browserLock.take(plan.account, apart: isOwn ? 0 : Self.secondsBetweenTabs)
    guard isOpen, isTabDue else { return }
    switch turn {
    case .ours(let lock):
      // The process that had the turn before may have signed in since this one last looked.
      guard isOwn || !endIfSignedInElsewhere() else { return }
      pageLock = lock
      open()
    case .anothers:
      guard !waitsForOtherPage else { return }
      dependencies.log(.pageHeldBack(account: plan.account))
      waitsForOtherPage = true
      watching.append(
        Task { [weak self, clock = dependencies.clock] in
          // Another process's page is closed without a trace in the store.
          while await self?.waitsForOtherPage == true, (try? await clock.sleep(seconds: 1)) != nil { await self?.takeTurn() }
        })
    }
  }

  /// Opens a page that was held back once no other process has a page open.
  func takeTurn() async {
    guard waitsForOtherPage, isOpen else { return }
    guard case .ours(let lock) = await dependencies.browserLock.take(plan.account, apart: nil) else { return }
    // The other process stores its page's grant before it releases the lock.
    guard waitsForOtherPage, !endIfSignedInElsewhere(), (try? await freshenPage()) != nil, waitsForOtherPage, isOpen else { return }
    pageLock = lock
    open()
  }

  /// Ends the sign-in if another program has made the account usable. Returns true if no further check is needed.
  func endIfSignedInElsewhere() -> Bool {
    guard case .waiting = state else { return true }
    do throws(OAuthFailure) {
      guard let grant = try account.current(), plan.isMet(by: grant, at: dependencies.clock.instant) else { return false }
      deadline?.cancel()
      end(.success(grant), via: .stored)
      return true
    } catch {
      // Another program may yet replace the grant by a readable one.
      if !hasReportedFault { dependencies.emit(event(.failed(error.of(plan.account)))) }
      hasReportedFault = true
      return false
    }
  }

  private var isTabDue: Bool { shown.map { $0.url != prompt.url || dependencies.clock.now - $0.time >= Self.secondsBetweenTabs } ?? true }

  private func open() {
    waitsForOtherPage = false
    shown = (prompt.url, dependencies.clock.now)
    // The page's own URL is checked as well, because the listener redirects the browser there.
    let address = BrowserLauncher.safe(prompt.url).flatMap { startAddress ?? (plan.request.browser == nil ? $0 : nil) }
    guard let failure = address.flatMap({ dependencies.browser?.open($0, by: plan.request.browser) }) else { return reportUnopenedPage() }
    watching.append(
      Task { [weak self] in
        guard (try? await failure.value()) != nil else { return }
        await self?.reportUnopenedPage()
      })
  }

  /// Reports the page again, because the client has to show it to the user.
  /// Another process may have a browser, and the next request tries this one again.
  private func reportUnopenedPage() {
    guard isOpen else { return }
    (pageLock, shown) = (nil, nil)
    dependencies.log(.browserNotStarted(account: plan.account))
    reportPage(opened: false, requestID: plan.request.requestID)
  }

  private func reportPage(opened: Bool?, requestID: JSON?) {
    var page = prompt
    page.opened = opened
    dependencies.emit(AccountEvent(account: plan.account, requestID: requestID, kind: .signInRequested(page)))
  }
}

// MARK: What the page shows after the end
extension SignIn {
  func page(of result: Result<Grant, any Error>) -> ResultPage.Outcome {
    switch result {
    case .success: .succeeded(account: plan.account, provider: plan.provider.name)
    case .failure(let failure as OAuthFailure): failure == replaced ? failed(.replaced) : Self.page(failure, plan.provider.name)
    case .failure(is CancellationError): failed(.ended)
    case .failure: failed(.unknown)
    }
  }

  private static func page(_ failure: OAuthFailure, _ provider: String) -> ResultPage.Outcome {
    let reason: ResultPage.Reason
    switch failure.kind {
    case .accessDenied where failure["reason"] == nil: return .denied(provider: provider)
    case .accessDenied: reason = .anotherUser
    case .authorizationServerError, .serviceError: reason = .rejected
    // The host timed out, not the user.
    case .timedOut where failure["host"] != nil: reason = .unreachable
    case .networkFailure: reason = .unreachable
    case .timedOut: reason = .timedOut
    case .responseUntrusted, .responseTooLarge: reason = .untrusted
    case .storageFailure: reason = .notStored
    case .configurationInvalid, .unsupportedByProvider: reason = .misconfigured
    case .signInRequired: reason = .cancelled
    default: reason = .unknown
    }
    // Only the user can set a wrong clock, for example.
    let own = reason == .untrusted ? failure.problem : nil
    return .failed(reason, said: (failure["errorDescription"] ?? failure["error"])?.string ?? own, provider: provider)
  }

  func failed(_ reason: ResultPage.Reason) -> ResultPage.Outcome { .failed(reason, provider: plan.provider.name) }
}
