import OAuth
import OAuthCore
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
      return "The user must sign in on the page that opens in the browser, then try again. If none opens: \(url)"
    }
  }

  /// Milliseconds between two looks at what another process does.
  private static let interval = 200

  /// Returns the page of the sign-in that is open, or opens one. `onEnd` is called when the account is usable.
  func page(for needed: Needed, onEnd: @escaping @Sendable () async -> Void) -> Promise<Page> {
    let own = Promise<Page>()
    let open = state.withLock { state -> Promise<Page>? in
      if let page = state.page { return page }
      state.page = own
      return nil
    }
    if let open { return open }
    Task { [self] in
      do {
        try await signIn(needed, own)
        end(nil, Failure("the sign-in has just succeeded: try again"))
        state.withLock { state in
          if let challenge = needed.challenge { state.met.append(challenge) } else { state.unproven = accounts.clock.uptime() }
        }
        await onEnd()
      } catch {
        end((error as? OAuthFailure.Reported)?.failure ?? error as? OAuthFailure, error)
      }
    }
    return own
  }

  /// `error` is for those who still wait for the page.
  private func end(_ failure: OAuthFailure?, _ error: any Error) {
    let page = state.withLock { state in
      defer { (state.page, state.failure) = (nil, failure) }
      return state.page
    }
    page?.settle(.failure(error))
  }

  /// Returns when the account is usable. One process asks the user; the others tell its page and wait.
  /// They fail if the user denies the sign-in. One of them takes the page over if the asking process was killed.
  private func signIn(_ needed: Needed, _ page: Promise<Page>) async throws {
    let rejected = try? accounts.stored(account)?.accessToken
    var (page, shown, looks) = (page, String?.none, 0)
    func isUsable() async -> Bool {
      guard let grant = try? await grant() else { return false }
      return grant.accessToken != rejected
    }
    func replaceShown() {
      guard shown != nil else { return }
      page = Promise()
      state.withLock { $0.page = page }
    }
    while true {
      let lead = accounts.leadSignIn(of: account)
      defer { withExtendedLifetime(lead) {} }
      guard case .anothers = lead else {
        // What had the lead at one look only, and no page, may have been a follower that has just failed.
        if shown != nil || looks > 1, await !accounts.hasLeftSignIn(account) {
          if await isUsable() { return }
          let message = "the sign-in that another program had opened was denied or timed out, or that program was ended"
          throw OAuthFailure.signInRequired(.noGrant, account: account, message: message)
        }
        replaceShown()
        return try await ask(needed, page)
      }
      looks += 1
      // The page is there when the other process has registered its client.
      if let note = accounts.announcedPage(of: account), note != shown {
        replaceShown()
        shown = note
        let parts = note.split(separator: " ", maxSplits: 1).map(String.init)
        page.settle(.success(Page(id: note, url: parts[0], code: parts.dropFirst().first, hasBrowser: accounts.hasBrowser)))
      }
      try await accounts.clock.sleep(milliseconds: Self.interval)
      if await isUsable() { return }
    }
  }

  private func ask(_ needed: Needed, _ page: Promise<Page>) async throws {
    guard let prompt = try await open(needed) else { return }
    let url = prompt.userCode == nil ? prompt.url : prompt.verificationUri ?? prompt.url
    let announced = accounts.announcePage([url, prompt.userCode].compactMap(\.self).joined(separator: " "), of: account)
    defer { withExtendedLifetime(announced) {} }
    page.settle(
      .success(Page(id: prompt.id, url: url, code: prompt.userCode, hasBrowser: accounts.hasBrowser, change: prompt.issuerChange)))
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
  private func open(_ needed: Needed) async throws -> SignInPrompt? {
    let input = accounts.signInInput(account, at: url)
    guard let challenge = needed.challenge else { return try await accounts.authorize(input).signIn }
    return try await accounts.signIn(challenge, input)?.signIn
  }
}
