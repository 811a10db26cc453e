import Jansson
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
  }

  /// Adds a request to the sign-in and asks for the page again. Returns false if the sign-in has just ended.
  func join(_ request: AuthorizationPlan.Request) async throws -> Bool {
    try await freshenPage()
    if case .exchanging(let exchange) = state, exchange.stopped != nil { await exchange.conclusion.value }
    if case .ended = state {
      await waitForEnd()
      return false
    }
    waiters.withLock { $0.append(.init(request)) }
    guard isOpen else { return true }
    let end = min(dependencies.clock.now + request.timeout, userCodeExpiresAt ?? .max)
    if end > endsAt {
      endsAt = end
      startDeadline(request.timeout)
    }
    currentPage.withLock { $0.prompt.expiresAt = max($0.prompt.expiresAt, min(end, pageEnd ?? .max)) }
    await ask(for: request)
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
  func ask(for request: AuthorizationPlan.Request) async {
    let hasNoBrowser = request.opensBrowser && !dependencies.hasBrowser()
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
      pageLock = lock
      open()
    case .anothers:
      guard !waitsForOtherPage else { return }
      dependencies.log(.pageHeldBack(account: plan.account))
      waitsForOtherPage = true
      watching.append(
        Task { [weak self, wait = dependencies.waitForLook] in
          // Another process's page is closed without a trace in the store.
          while await self?.waitsForOtherPage == true, (try? await wait()) != nil { await self?.takeTurn() }
        })
    }
  }

  /// Opens a page that was held back once no other process has a page open.
  func takeTurn() async {
    guard waitsForOtherPage, isOpen else { return }
    guard case .ours(let lock) = await dependencies.browserLock.take(plan.account, apart: nil) else { return }
    // The other process stores its page's grant before it releases the lock.
    guard waitsForOtherPage, findsNoGrant(), (try? await freshenPage()) != nil, waitsForOtherPage, isOpen else { return }
    pageLock = lock
    open()
  }

  /// Ends the sign-in if another program has made the account usable. Returns false if no further check is needed.
  func findsNoGrant() -> Bool {
    guard case .waiting = state else { return false }
    do throws(OAuthFailure) {
      let stored = try dependencies.store.read(plan.account)?.described(by: dependencies.catalog)
      guard let grant = stored, plan.isMet(by: grant, at: dependencies.clock.instant) else { return true }
      deadline?.cancel()
      end(.success(grant), via: .stored)
      return false
    } catch {
      // Another program may yet replace the grant by a readable one.
      if !hasReportedFault { dependencies.emit(event(.failed(error.of(plan.account)))) }
      hasReportedFault = true
      return true
    }
  }

  private var isTabDue: Bool {
    shown.map { $0.url != prompt.url || dependencies.clock.now - $0.time >= Self.secondsBetweenTabs } ?? true
  }

  private func open() {
    waitsForOtherPage = false
    shown = (prompt.url, dependencies.clock.now)
    // The page's own URL is checked as well, because the listener redirects the browser there.
    let address = BrowserLauncher.safe(prompt.url).map { startAddress ?? $0 }
    guard let failure = address.flatMap(dependencies.openPage) else { return reportUnopenedPage() }
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
    return .failed(reason, said: (failure["errorDescription"] ?? failure["error"])?.string, provider: provider)
  }

  func failed(_ reason: ResultPage.Reason) -> ResultPage.Outcome { .failed(reason, provider: plan.provider.name) }
}

/// The responses of a sign-in's listener, and when it stops.
extension SignIn {
  /// Whether a redirect with these parameters answers this sign-in's page, or its first one.
  nonisolated func claims(_ parameters: [RedirectParameter]) -> Bool {
    let page = currentPage.withLock { $0 }
    return page.exchange.claims(parameters) || page.first?.claims(parameters) == true
  }

  /// Returns the page for a redirect that arrived at the listener.
  func page(for parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    do {
      return try await receive(parameters)
    } catch {
      // The listener's time for this connection is over. The exchange continues.
      return failed(.unknown)
    }
  }

  /// Frees the port for another sign-in if it is one of these.
  func free(_ ports: [UInt16]) {
    if let listener, ports.contains(listener.port) { listener.close() }
  }

  /// Stops answering for an ended sign-in.
  func stopAnswering() { listener?.close() }

  /// Answers a request for the start address: redirects to the page while the sign-in is open, then shows its result.
  func start() async -> LoopbackRequest.Redirect.Answer {
    switch state {
    case .waiting, .secondPage: return BrowserLauncher.safe(prompt.url).map(LoopbackRequest.Redirect.Answer.elsewhere) ?? .notOurs
    case .exchanging(let exchange): return .page(ResultPage((try? await exchange.shown.value()) ?? failed(.cancelled)))
    case .ended(let outcome, _): return .page(ResultPage(outcome))
    }
  }
}

extension SignIn {
  /// Answers the requests to the listener of one sign-in, and to no other listener.
  ///
  /// If a listener accepted any open sign-in's redirect, one provider's page could end another provider's sign-in (RFC 9700, 4.4).
  final class RedirectRouter: Sendable {
    private struct State {
      weak var signIns: SignInRegistry?
      /// nil while the sign-in is being prepared.
      weak var signIn: SignIn?
    }

    private let state: Mutex<State>
    private let log: @Sendable (LogMessage) -> Void

    init(_ signIns: SignInRegistry, _ log: @escaping @Sendable (LogMessage) -> Void) {
      state = Mutex(State(signIns: signIns))
      self.log = log
    }

    func serve(_ signIn: SignIn) { state.withLock { $0.signIn = signIn } }

    @Sendable func answer(_ request: LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer {
      let (signIns, signIn) = state.withLock { ($0.signIns, $0.signIn) }
      if let signIn {
        if request.isStart { return await signIn.start() }
        if signIn.claims(request.parameters) { return .page(ResultPage(await signIn.page(for: request.parameters))) }
        // Earlier sign-ins may have used the same pinned port.
        if let ended = await signIns?.endedSignIn(for: request.parameters), ended.port == signIn.port {
          return .page(ResultPage(await ended.page(for: request.parameters)))
        }
      }
      log(.redirectRejected)
      return .notOurs
    }
  }
}
