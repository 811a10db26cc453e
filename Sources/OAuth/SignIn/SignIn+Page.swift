import Jansson

/// Opening the page of a sign-in for the user.
extension SignIn {
  /// Seconds during which several requests for the same page open one tab, such as the parts of an editor when it starts.
  /// After that, a user who has closed the tab and asks again gets another. The same applies between the processes of one store.
  static let tabsApart = 10

  /// Reports the page, and opens it unless it was opened a moment ago.
  func ask(for request: AuthorizationPlan.Request) async {
    let hasNoBrowser = request.opensBrowser && !dependencies.hasBrowser()
    tellPage(opened: hasNoBrowser ? false : nil, requestID: request.requestID)
    if hasNoBrowser { dependencies.log(.browserNotStarted(account: plan.account)) }
    guard request.opensBrowser, !hasNoBrowser, isTabDue else { return }
    // A request with interaction `always` gets its own page. The second page continues what the user has just done.
    let isOwn = plan.request.interaction == .always || firstGrant != nil
    guard pageLock == nil else { return open() }
    let turn = await dependencies.store.browserLock(forPageOf: plan.account, apart: isOwn ? 0 : Self.tabsApart)
    guard isOpen, isTabDue else { return }
    switch turn {
    case .ours(let lock):
      pageLock = lock
      open()
    case .anothers:
      if !isHeldBack { dependencies.log(.pageHeldBack(account: plan.account)) }
      isHeldBack = true
    }
  }

  /// Opens a page that was held back once no other process has a page open.
  func takeTurn() async {
    guard isHeldBack, isOpen else { return }
    guard case .ours(let lock) = await dependencies.store.browserLock(forPageOf: plan.account, apart: nil) else { return }
    // The other process stores its page's grant before it releases the lock.
    guard isHeldBack, findsNoGrant(), (try? await freshenPage()) != nil, isHeldBack, isOpen else { return }
    pageLock = lock
    open()
  }

  private var isTabDue: Bool {
    shown.map { $0.url != prompt.url || dependencies.clock() - $0.time >= Self.tabsApart } ?? true
  }

  private func open() {
    isHeldBack = false
    shown = (prompt.url, dependencies.clock())
    // The page's own URL is checked as well, because the listener redirects the browser there.
    let address = BrowserLauncher.safe(prompt.url).map { startAddress ?? $0 }
    guard let failure = address.flatMap(dependencies.openPage) else { return wasNotOpened() }
    watching.append(
      Task { [weak self] in
        guard (try? await failure.value()) != nil else { return }
        await self?.wasNotOpened()
      })
  }

  /// Reports the page again, because the client has to show it to the user.
  /// Another process may have a browser, and the next request tries this one again.
  private func wasNotOpened() {
    guard isOpen else { return }
    (pageLock, shown) = (nil, nil)
    dependencies.log(.browserNotStarted(account: plan.account))
    tellPage(opened: false, requestID: plan.request.requestID)
  }

  private func tellPage(opened: Bool?, requestID: JSON?) {
    var page = prompt
    page.opened = opened
    dependencies.emit(AccountEvent(account: plan.account, requestID: requestID, kind: .signInRequested(page)))
  }
}
