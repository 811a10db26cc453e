import Jansson

/// How the page of a sign-in comes before somebody.
extension SignIn {
  /// In seconds: several that ask at once, as the parts of an editor do when it starts, get one tab; whoever has closed it and asks again gets another.
  /// The same between the processes of one store.
  static let tabsApart = 10

  /// Tells the page, and opens it unless that has just been done.
  func ask(for request: AuthorizeRequest) async {
    let hasNoBrowser = request.opensBrowser && !surroundings.hasBrowser()
    tellPage(opened: hasNoBrowser ? false : nil, cause: request.cause)
    if hasNoBrowser { surroundings.remark(.browserNotStarted(account: setup.account)) }
    guard request.opensBrowser, !hasNoBrowser, isTabDue else { return }
    // Whoever wants a page whatever there is gets his own; a second one goes on with what somebody has just done.
    let isOwn = setup.request.interaction == .always || firstGrant != nil
    guard pageLock == nil else { return open() }
    let turn = await surroundings.store.turn(toOpenPageOf: setup.account, apart: isOwn ? 0 : Self.tabsApart)
    guard case .open = phase, isTabDue else { return }
    switch turn {
    case .ours(let lock):
      pageLock = lock
      open()
    case .anothers:
      if !isHeldBack { surroundings.remark(.pageHeldBack(account: setup.account)) }
      isHeldBack = true
    }
  }

  /// Opens a page that was held back when no other process has one open any more.
  func takeTurn() async {
    guard isHeldBack, case .open = phase else { return }
    guard case .ours(let lock) = await surroundings.store.turn(toOpenPageOf: setup.account, apart: nil) else { return }
    // What the other page has brought was kept before its process let go.
    guard isHeldBack, findsNoGrant(), (try? await freshenPage()) != nil, isHeldBack, case .open = phase else { return }
    pageLock = lock
    open()
  }

  private var isTabDue: Bool {
    shown.map { $0.url != prompt.url || surroundings.clock() - $0.time >= Self.tabsApart } ?? true
  }

  private func open() {
    isHeldBack = false
    shown = (prompt.url, surroundings.clock())
    // The page's own URL is checked as well, since the listener sends the browser there.
    let address = BrowserLauncher.safe(prompt.url).map { startAddress ?? $0 }
    guard let failure = address.flatMap(surroundings.openPage) else { return wasNotOpened() }
    watching.append(
      Task { [weak self] in
        guard (try? await failure.value()) != nil else { return }
        await self?.wasNotOpened()
      })
  }

  /// Tells the page once more, since the user has to be shown it; another process may have a browser, and who asks again has this one tried again.
  private func wasNotOpened() {
    guard case .open = phase else { return }
    (pageLock, shown) = (nil, nil)
    surroundings.remark(.browserNotStarted(account: setup.account))
    tellPage(opened: false, cause: setup.request.cause)
  }

  private func tellPage(opened: Bool?, cause: JSON?) {
    var page = prompt
    page.opened = opened
    surroundings.tell(AccountEvent(account: setup.account, cause: cause, fact: .signInRequested(page)))
  }
}
