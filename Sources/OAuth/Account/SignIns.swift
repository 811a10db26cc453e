import Jansson

/// The sign-ins that are open, at most one an account.
actor SignIns {
  private let surroundings: Surroundings
  private let keep: @Sendable (Grant) async throws -> Grant
  private var open: [SignIn] = []
  /// The last that ended, so that `awaitSignIn` can still be asked for them; their number is bounded.
  private var ended: [SignIn] = []

  init(_ surroundings: Surroundings, keep: @escaping @Sendable (Grant) async throws -> Grant) {
    self.surroundings = surroundings
    self.keep = keep
  }

  /// The account's open sign-in, or a new one whose page has been asked for.
  func begin(_ setup: AuthorizeSetup) async throws -> SignIn {
    if let signIn = open.first(where: { AccountKey($0.setup.account) == AccountKey(setup.account) }) {
      if setup.request.waits { signIn.join() }
      return signIn
    }
    let (signIn, opensPage) = try start(setup)
    if setup.request.waits { signIn.join() }
    open.append(signIn)
    await signIn.startDeadline()
    surroundings.tell(AccountEvent(account: setup.account, cause: setup.request.cause, fact: .signInRequested(signIn.prompt)))
    if opensPage { _ = surroundings.openPage(signIn.prompt.url) }
    return signIn
  }

  func signIn(id: String) -> SignIn? {
    (open + ended).first { $0.prompt.id == id }
  }

  /// The open sign-in that a redirect with these parameters belongs to: `state` alone decides.
  func signIn(for parameters: [RedirectParameter]) -> SignIn? {
    guard let state = parameters.first(where: { $0.name == "state" })?.value else { return nil }
    return open.first { $0.state == Secret(state) }
  }

  /// Gives up every sign-in that nobody waits for.
  func abandonUnawaited() async {
    for signIn in open where !signIn.setup.request.waits && signIn.authorization.waiting == 0 {
      await signIn.abandon("ended", CancellationError())
    }
  }

  func abandonAll() async {
    for signIn in open { await signIn.abandon("ended", CancellationError()) }
  }

  private func didEnd(_ signIn: SignIn) {
    open.removeAll { $0 === signIn }
    ended.append(signIn)
    if ended.count > 32 { ended.removeFirst() }
  }

  private func start(_ setup: AuthorizeSetup) throws -> (SignIn, opensPage: Bool) {
    guard let endpoint = setup.provider.authorizationEndpoint else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no authorization endpoint",
        details: [.init("path", "/provider/authorizationEndpoint")])
    }
    let (listener, redirectUri) = try redirect(setup)
    let state = Secret(Base64.encodeURL(surroundings.random(16)))
    let pkce = setup.provider.request.pkce != .off ? PKCE(random: surroundings.random(32)) : nil
    let request = AuthorizationRequest(
      endpoint: endpoint, clientId: setup.client.id, redirectUri: redirectUri, scopes: setup.scopes,
      scopeSeparator: setup.provider.request.scopeSeparator, state: state,
      // Some servers refuse `openid` without a nonce, though only the implicit flow requires one (OpenID Connect Core, 3.1.2.1).
      nonce: setup.scopes.contains("openid") ? Base64.encodeURL(surroundings.random(16)) : nil, pkce: pkce,
      parameters: setup.request.parameters.pairs
        + setup.provider.request.authorizationParameters.pairs.filter { preset in
          !setup.request.parameters.pairs.contains { $0.name == preset.name }
        })
    guard let url = request.url else {
      listener?.close()
      throw OAuthFailure(
        .configurationInvalid, "the authorization endpoint is no url", details: [.init("path", "/provider/authorizationEndpoint")])
    }
    let prompt = SignInPrompt(
      id: Base64.encodeURL(surroundings.random(9)), url: url, expiresAt: surroundings.clock() + setup.request.timeout)
    let signIn = SignIn(
      setup: setup, prompt: prompt, state: state, redirectUri: redirectUri, pkce: pkce, listener: listener,
      surroundings: surroundings, keep: keep, onEnd: { [weak self] in await self?.didEnd($0) })
    return (signIn, setup.request.opensBrowser)
  }

  /// Opens the port that the redirect comes to; none where the client itself catches it.
  private func redirect(_ setup: AuthorizeSetup) throws -> (LoopbackListener?, String) {
    let (address, pinned) = try RedirectChoice.address(setup.request.redirectUri, setup.provider)
    guard let address else { return (nil, pinned ?? "") }
    do throws(LoopbackFailure) {
      let listener = try LoopbackListener.open(address) { [weak self] request in
        guard let self, let signIn = await self.signIn(for: request.parameters) else { return .notOurs }
        return .page(ResultPage(await signIn.receive(request.parameters)))
      }
      return (listener, pinned ?? listener.redirectUri)
    } catch {
      switch error {
      case .portInUse(let ports):
        throw OAuthFailure(
          .portInUse, "the port \(ports.map(String.init).joined(separator: ", ")) for the redirect is in use",
          details: [.init("port", .integer(Int(ports.first ?? 0)))], isRetryable: true)
      case .unavailable(let reason):
        throw OAuthFailure(.networkFailure, "the loopback address cannot be listened on: \(reason)", details: [.init("cause", "loopback")])
      }
    }
  }
}
