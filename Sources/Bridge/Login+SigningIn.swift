import OAuth
import OAuthCore
import Plans
import Platform
import Store

/// Signing in while the host waits for nothing.
extension Login {
  /// Where the user signs in.
  struct Page: Sendable {
    /// Of the sign-in, or of the page.
    let id: String
    let url: String
    /// The code to type on the page.
    var code: String?
    /// Whether this machine can show the page.
    let hasBrowser: Bool
    /// Whether a browser has been asked to show it, by this process or another.
    var isShown = true
    /// Whether this process asks the user.
    var isOwn = false
    /// The server's authorization server, if it is another one now.
    var change: IssuerChange?

    var sentence: String {
      let reason = change.map { " (The server names the authorization server \($0.current) now, in place of \($0.previous).)" }
      return request + (reason ?? "")
    }

    private var request: String {
      if let code { return "The user must sign in: open \(url), type the code \(code), then try again." }
      guard hasBrowser else {
        return "The user must sign in: open \(url) in a browser anywhere. If it ends at an address that it cannot open, run this on this "
          + "machine: oauth-stdio handleRedirect --url 'ADDRESS'. Then try again."
      }
      guard isShown else { return "The user must sign in: open \(url) in a browser of this machine, then try again." }
      return "The user must sign in on the page that opens in the browser, then try again. If none opens: \(url)"
    }
  }

  /// Milliseconds between two looks at what another process does.
  private static let interval = 200

  /// A sign-in that is open, in this process or in another.
  struct Attempt: Sendable {
    /// Where the user signs in first; nil if the account has become usable without that. It fails if no page could be opened.
    let page = Promise<Page?>()
    /// Whether the account is usable. Settled at the end of the sign-in.
    let end = Promise<Bool>()
  }

  /// Returns the open sign-in, or begins one. `isCall` says that the user knows of it, and `isAsked` that the host may open its page.
  /// `onEnd` is called when the account is usable.
  func attempt(for needed: Needed, isCall: Bool, isAsked: Bool, onEnd: @escaping @Sendable () async -> Void) -> Attempt {
    let own = Attempt()
    let open = state.withLock { state -> Attempt? in
      state.hasBegun = true
      if let open = state.attempt { return open }
      state.attempt = own
      return nil
    }
    if let open { return open }
    Task { [self] in
      do {
        try await signIn(needed, isCall, isAsked)
        state.withLock { state in
          if let challenge = needed.challenge { state.met.append(challenge) } else { state.unproven = accounts.clock.uptime() }
        }
        end(nil)
        await onEnd()
      } catch {
        end(error)
      }
    }
    return own
  }

  /// Returns the page of the sign-in as it is now, because another process may have opened another one; nil if the user has just signed in there.
  func page(of attempt: Attempt) async throws -> Page? {
    guard let first = try await attempt.page.value() else { return nil }
    let page = lastPage ?? first
    // What the new token lacks needs a page of its own.
    guard page.isOwn, await !accounts.isOpen(signIn: page.id), try await attempt.end.value() else { return page }
    return nil
  }

  /// Whether this process may show the page by itself, which is counted.
  func mayShowPage(for needed: Needed) async -> Bool { await accounts.dependencies.pageCount.add(account, needed.pageReason) }

  /// Ends the attempt, also for the requests that still wait for its page.
  private func end(_ error: (any Error)?) {
    let attempt = state.withLock { state in
      defer { (state.attempt, state.failure) = (nil, (error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure) }
      return state.attempt
    }
    attempt?.page.settle(error.map { .failure($0) } ?? .success(nil))
    attempt?.end.settle(.success(error == nil))
  }

  private func show(_ page: Page) {
    let attempt = state.withLock { state in
      state.lastPage = page
      return state.attempt
    }
    attempt?.page.settle(.success(page))
  }

  /// Returns when the account is usable. One process asks the user; the others tell its page and wait.
  /// They fail if the user denies the sign-in. One of them takes the page over if the asking process was killed.
  private func signIn(_ needed: Needed, _ isCall: Bool, _ isAsked: Bool) async throws {
    let rejected = try? accounts.find(account)?.grant.accessToken
    await accounts.prepareSignIn()
    var (shown, looks) = (String?.none, 0)
    func isUsable() async -> Bool {
      guard let grant = try? await grant() else { return false }
      return grant.accessToken != rejected
    }
    while true {
      // The process with the lead asks the user. The others wait for its grant.
      let lead = accounts.dependencies.notes.write("", about: "lead", of: account)
      defer { withExtendedLifetime(lead) {} }
      guard case .anothers = lead else {
        // What had the lead at one look only, and no page, may have been a follower that has just failed.
        if shown != nil || looks > 1, await !accounts.hasLeftSignIn(account) {
          if await isUsable() { return }
          let message = "the sign-in that another program had opened was denied or timed out, or that program was ended"
          throw OAuthFailure.signInRequired(.noGrant, account: account, message: message)
        }
        return try await ask(needed, isCall, isAsked)
      }
      looks += 1
      // The page is there when the other process has registered its client. A note is empty for the moment before it is written.
      if let note = accounts.dependencies.notes.read(about: "page", of: account), !note.isEmpty, note != shown {
        shown = note
        let parts = note.split(separator: " ", maxSplits: 1).map(String.init)
        show(Page(id: note, url: parts[0], code: parts.dropFirst().first, hasBrowser: accounts.hasBrowser))
      }
      try await accounts.clock.sleep(milliseconds: Self.interval)
      if await isUsable() { return }
    }
  }

  private func ask(_ needed: Needed, _ isCall: Bool, _ isAsked: Bool) async throws {
    var input = accounts.signInInput(account, at: url)
    var isCounted = false
    if accounts.hasBrowser {
      // The tab of a sign-in that an ended process has left is still there.
      let isLeft = !isCall && needed.challenge == nil ? await accounts.hasLeftSignIn(account) : false
      if !isLeft, !isAsked { isCounted = await mayShowPage(for: needed) }
      if !isCounted { input.opensBrowser = false }
    }
    let opened: SignInPrompt?
    do { opened = try await open(needed, input) } catch {
      if isCounted { await accounts.dependencies.pageCount.remove(account, needed.pageReason) }
      throw error
    }
    guard let prompt = opened else { return }
    let url = prompt.userCode == nil ? prompt.url : prompt.verificationUri ?? prompt.url
    let text = [url, prompt.userCode].compactMap(\.self).joined(separator: " ")
    let announced = accounts.dependencies.notes.write(text, about: "page", of: account)
    defer { withExtendedLifetime(announced) {} }
    var page = Page(id: prompt.id, url: url, code: prompt.userCode, hasBrowser: accounts.hasBrowser, change: prompt.issuerChange)
    (page.isShown, page.isOwn) = (input.opensBrowser, true)
    show(page)
    let outcome: Result<Authorization, any Error>
    do {
      guard let authorization = try await accounts.awaitSignIn(id: prompt.id, timeout: nil) else { return }
      outcome = .success(authorization)
    } catch {
      outcome = .failure(error)
    }
    if let challenge = needed.challenge { try await accounts.remember(challenge, account, outcome) }
    _ = try outcome.get()
  }

  /// Opens the page. Returns nil if the account is usable without one.
  private func open(_ needed: Needed, _ input: AuthorizationInput) async throws -> SignInPrompt? {
    guard let challenge = needed.challenge else { return try await accounts.authorize(input).signIn }
    return try await accounts.signIn(challenge, input)?.signIn
  }
}
