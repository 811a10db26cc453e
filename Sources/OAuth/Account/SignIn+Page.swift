import Jansson
import Loopback
import OAuthCore
import Plans
import Store
import Synchronization

/// Opening the page of a sign-in for the user.
extension SignIn {
  /// Seconds during which several requests for the same page open one tab, such as the parts of an editor when it starts.
  /// After that, a user who has closed the tab and asks again gets another. The same applies between the processes of one store.
  static let secondsBetweenTabs = 10

  /// Starts the lifetime of the exchange's page and the deadline of the sign-in.
  func startPage() {
    wait?.pageEnd = exchange.pageLifetime.map { dependencies.clock.now + $0 }
    end(after: plan.request.timeout)
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
    join(request.waits)
    guard isOpen else { return true }
    end(after: request.timeout)
    currentPage.withLock { [wait] page in page.prompt.expiresAt = max(page.prompt.expiresAt, wait?.promptEnd ?? 0) }
    await showPage(for: request)
    return true
  }

  /// Replaces a page that can no longer be opened. A page that the user opened before stays valid.
  func freshenPage() async throws {
    guard isOpen, let pageEnd = wait?.pageEnd, dependencies.clock.now >= pageEnd else { return }
    guard let fresh = try await exchange.withFreshPage(), isOpen else { return }
    wait?.pageEnd = fresh.pageLifetime.map { dependencies.clock.now + $0 }
    currentPage.withLock { [wait] page in
      (page.exchange, page.prompt.url) = (fresh, fresh.url)
      page.prompt.expiresAt = wait?.promptEnd ?? 0
    }
  }

  /// Reports the page, and opens it unless this process or another one has done so a moment ago.
  ///
  /// The windows of an editor, for example, start a process each, and each signs in to the same account. The process that opens a page writes a note,
  /// which it holds until its sign-in ends. One that finds the note holds its page back, and looks once a second for the note's end and for a grant.
  /// A user who asks later may have closed the tab. Such a request opens its page all the same.
  func showPage(for request: AuthorizationInput) async {
    let hasNoBrowser = request.opensBrowser && !dependencies.hasBrowser(by: request.browser)
    reportPage(opened: hasNoBrowser ? false : nil, requestID: request.requestID)
    if hasNoBrowser { dependencies.log(.browserNotStarted(account: plan.account)) }
    guard request.opensBrowser, !hasNoBrowser, isTabDue, let wait else { return }
    guard wait.note == nil else { return open() }
    // A request with interaction `always` gets its own page. The second page continues what the user has just done.
    let isOwn = plan.request.interaction == .always || wait.firstGrant != nil
    let writing = dependencies.pageNotes.write(prompt.id, about: plan.account)
    if case .anothers = writing {
      let isRenewed = await dependencies.pageNotes.renew(plan.account, after: isOwn ? 0 : Self.secondsBetweenTabs)
      // Meanwhile, the sign-in may have ended, or another request may have opened the page.
      guard isOpen, isTabDue, isRenewed || self.wait?.isForOtherPage == false else { return }
      if !isRenewed {
        let name = plan.account
        dependencies.log(.init(.debug, "no page was opened for \(name): another process has just opened one"))
        self.wait?.isForOtherPage = true
        if account.accounts.ledger.canWatch { look() }
        return
      }
    }
    // The process that had the note before may have signed in since this one last looked.
    if isOwn || !endIfSignedInElsewhere() { open(writing) }
  }

  /// Looks once a second for what nothing reports: the end of another process's page, and a grant in a store that cannot be watched.
  func look() {
    wait?.tasks.append(
      Task { [weak self, clock = dependencies.clock] in
        while (try? await clock.sleep(seconds: 1)) != nil, await self?.hasLookedInVain() == true {}
      })
  }

  private func hasLookedInVain() async -> Bool {
    guard wait?.isForOtherPage == true else { return !account.accounts.ledger.canWatch && !endIfSignedInElsewhere() }
    let writing = dependencies.pageNotes.write(prompt.id, about: plan.account)
    // The other process stores its page's grant before it gives up the note.
    guard !endIfSignedInElsewhere() else { return false }
    if case .anothers = writing { return true }
    if (try? await freshenPage()) != nil, isOpen, wait?.isForOtherPage == true { open(writing) }
    return true
  }

  /// Ends the sign-in if another program has made the account usable. Returns true if no further check is needed.
  func endIfSignedInElsewhere() -> Bool {
    guard case .waiting(let wait) = state, wait.firstGrant == nil else { return true }
    do throws(OAuthFailure) {
      guard let grant = try account.current(), plan.isMet(by: grant, at: dependencies.clock.instant) else { return false }
      end(.success(grant), via: .stored)
      return true
    } catch {
      // Another program may yet replace the grant by a readable one.
      if !wait.hasReportedFault { dependencies.emit(event(.failed(error.of(plan.account)))) }
      self.wait?.hasReportedFault = true
      return false
    }
  }

  private var isTabDue: Bool {
    guard let shown = wait?.shown else { return true }
    return shown.url != prompt.url || dependencies.clock.now - shown.time >= Self.secondsBetweenTabs
  }

  private func open(_ writing: ProcessNotes.Writing = .impossible) {
    if case .written(let note) = writing { wait?.note = note }
    wait?.isForOtherPage = false
    wait?.shown = (prompt.url, dependencies.clock.now)
    // The page's own URL is checked as well, because the listener redirects the browser there.
    let address = BrowserLauncher.safe(prompt.url).flatMap { startAddress ?? (plan.request.browser == nil ? $0 : nil) }
    guard let failure = address.flatMap({ dependencies.browser?.open($0, by: plan.request.browser) }) else { return reportUnopenedPage() }
    wait?.tasks.append(
      Task { [weak self] in
        guard (try? await failure.value()) != nil else { return }
        await self?.reportUnopenedPage()
      })
  }

  /// Reports the page again, because the client has to show it to the user.
  /// Another process may have a browser, and the next request tries this one again.
  private func reportUnopenedPage() {
    guard isOpen else { return }
    wait?.note = nil
    wait?.shown = nil
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
