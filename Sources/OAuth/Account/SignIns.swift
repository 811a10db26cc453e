import Jansson

/// The sign-ins that are open, at most one an account.
actor SignIns {
  private let surroundings: Surroundings
  private let keep: @Sendable (Grant) async throws -> Grant
  private var open: [SignIn] = []
  /// Accounts whose sign-in is getting ready, which may take a request to the provider.
  private var starting: [AccountKey: Promise<Void>] = [:]
  /// The last that ended, so that `awaitSignIn` can still be asked for them; their number is bounded.
  private var ended: [SignIn] = []

  init(_ surroundings: Surroundings, keep: @escaping @Sendable (Grant) async throws -> Grant) {
    self.surroundings = surroundings
    self.keep = keep
  }

  /// The account's open sign-in, or a new one whose page has been asked for.
  func begin(_ setup: AuthorizeSetup) async throws -> SignIn {
    let key = AccountKey(setup.account)
    while true {
      try Task.checkCancellation()
      if let signIn = open.first(where: { AccountKey($0.setup.account) == key }) {
        if setup.request.waits { signIn.join() }
        return signIn
      }
      guard let other = starting[key] else { break }
      // Why the other one could not begin is said to whoever began it; here it is tried anew.
      _ = try? await other.value()
    }
    let started = Promise<Void>()
    starting[key] = started
    defer {
      starting[key] = nil
      started.settle(.success(()))
    }
    let signIn = try await start(setup)
    if setup.request.waits { signIn.join() }
    open.append(signIn)
    surroundings.remark(.signInOpened(account: setup.account, id: signIn.prompt.id))
    await signIn.start()
    surroundings.tell(AccountEvent(account: setup.account, cause: setup.request.cause, fact: .signInRequested(signIn.prompt)))
    if setup.request.opensBrowser { surroundings.open(signIn.prompt, of: setup.account) }
    return signIn
  }

  func signIn(id: String) -> SignIn? {
    (open + ended).first { $0.prompt.id == id }
  }

  func openSignIn(id: String) -> SignIn? { open.first { $0.prompt.id == id } }

  /// The open sign-in that a redirect with these parameters answers.
  func signIn(for parameters: [RedirectParameter]) -> SignIn? {
    open.first { $0.exchange.claims(parameters) }
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
    surroundings.remark(.signInClosed(account: signIn.setup.account, id: signIn.prompt.id))
    ended.append(signIn)
    if ended.count > 32 { ended.removeFirst() }
  }

  /// What a sign-in would send; the port that it would listen on is free again at once.
  func rehearse(_ setup: AuthorizeSetup) async throws -> Rehearsal {
    if setup.usesDevice { return try await Rehearsal.ofDevice(setup, surroundings: surroundings) }
    let (listener, redirectUri) = try redirect(setup)
    listener?.close()
    await listener?.finish()
    return try await Rehearsal.of(setup, redirectUri: redirectUri, surroundings: surroundings) { setup, surroundings in
      try await Self.begin(setup, redirectUri, surroundings)
    }
  }

  private func start(_ setup: AuthorizeSetup) async throws -> SignIn {
    if setup.usesDevice {
      do {
        return signIn(setup, try await DeviceSignIn.begin(setup, redirectUri: "", surroundings: surroundings), nil)
      } catch let failure as OAuthFailure where setup.request.flow == .auto && failure.kind == .authorizationServerError {
        // Most clients are not registered for it, and then the bare URL is better than nothing.
        surroundings.remark(.deviceFlowLeft(account: setup.account))
      }
    }
    let (listener, redirectUri) = try redirect(setup)
    let exchange: any SignInProtocol
    do {
      exchange = try await Self.begin(setup, redirectUri, surroundings)
    } catch {
      listener?.close()
      await listener?.finish()
      throw error
    }
    return signIn(setup, exchange, listener)
  }

  private func signIn(_ setup: AuthorizeSetup, _ exchange: any SignInProtocol, _ listener: LoopbackListener?) -> SignIn {
    let timeout = setup.request.timeout
    let prompt = SignInPrompt(
      id: Base64.encodeURL(surroundings.random(9)), url: exchange.url, userCode: exchange.userCode,
      expiresAt: surroundings.clock() + min(timeout, exchange.lifetime ?? timeout))
    return SignIn(
      setup: setup, prompt: prompt, exchange: exchange, listener: listener, surroundings: surroundings, keep: keep,
      onEnd: { [weak self] in await self?.didEnd($0) })
  }

  private static func begin(
    _ setup: AuthorizeSetup, _ redirectUri: String, _ surroundings: Surroundings
  ) async throws -> any SignInProtocol {
    switch setup.provider.protocolName {
    case .oauth2: try OAuth2SignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    case .openid2: try await OpenIDSignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    case .oauth1: try await OAuth1SignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    }
  }

  /// Opens the port that the redirect comes to; none where the client itself catches it.
  private func redirect(_ setup: AuthorizeSetup) throws -> (LoopbackListener?, String) {
    let (address, pinned) = try RedirectChoice.address(setup.request.redirectUri, setup.provider)
    guard let address else { return (nil, pinned ?? "") }
    do throws(LoopbackFailure) {
      let listener = try LoopbackListener.open(address) { [weak self, remark = surroundings.remark] request in
        guard let self, let signIn = await self.signIn(for: request.parameters) else {
          remark(.redirectRefused)
          return .notOurs
        }
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
