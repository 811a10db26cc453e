import Jansson
import Synchronization

/// The sign-ins that are open, at most one an account.
actor SignIns {
  /// What somebody who has to sign in finds.
  enum Entry {
    /// Nobody else was signing in; the page has been asked for.
    case began(SignIn)
    /// The same sign-in was open already; its page has been asked for once more.
    case joined(SignIn)
    /// The account's open sign-in asks somebody else for something else.
    case blocked(by: SignIn)
  }

  private let surroundings: Surroundings
  private let refreshes: Refreshes
  /// In a lock of its own, so that an account's state can be told at once.
  private let open = Mutex<[SignIn]>([])
  /// Accounts whose sign-in is getting ready, which may take a request to the provider.
  private var starting: [AccountKey: Promise<Void>] = [:]
  /// The last that ended, so that `awaitSignIn` can still be asked for them, and their pages; their number is bounded.
  private var ended: [(signIn: SignIn, time: Int)] = []
  /// In seconds: as long as a listener goes on answering.
  private static let memory = 60

  /// Registered clients whose last page brought nothing; the next page gets another client.
  private var doubted: Set<String> = []

  init(_ surroundings: Surroundings, _ refreshes: Refreshes) {
    self.surroundings = surroundings
    self.refreshes = refreshes
  }

  /// Has the account's page asked for: of the sign-in that is open, where it is the same, or of a new one.
  ///
  /// Whoever wants a page whatever is stored gets a new one: the old one's tab may be closed, or somebody else may have to sign in.
  func enter(_ setup: AuthorizeSetup) async throws -> Entry {
    let key = AccountKey(setup.account)
    while true {
      try Task.checkCancellation()
      if let other = openSignIn(of: setup.account) {
        if setup.request.interaction == .always, other.setup.isOfClient(of: setup) {
          try await Self.inTime(setup) { await other.makeWay() }
        } else if !other.setup.isJoinable(by: setup) {
          return .blocked(by: other)
        } else if try await other.join(setup.request) {
          return .joined(other)
        }
        continue
      }
      guard let starting = starting[key] else { break }
      // Why the other one could not begin is said to whoever began it; here it is tried anew.
      try await Self.inTime(setup) { _ = try? await starting.value() }
    }
    let started = Promise<Void>()
    starting[key] = started
    defer {
      starting[key] = nil
      started.settle(.success(()))
    }
    let signIn = try await start(setup)
    signIn.company.enter(setup.request)
    open.withLock { $0.append(signIn) }
    surroundings.remark(.signInOpened(account: setup.account, id: signIn.prompt.id))
    await signIn.begin()
    await signIn.ask(for: setup.request)
    return .began(signIn)
  }

  func signIn(id: String) -> SignIn? { openSignIn(id: id) ?? ended.first { $0.signIn.prompt.id == id }?.signIn }

  func openSignIn(id: String) -> SignIn? { opened.first { $0.prompt.id == id } }

  nonisolated func openSignIn(of account: String) -> SignIn? {
    open.withLock { open in
      guard !open.isEmpty else { return nil }
      let key = AccountKey(account)
      return open.first { AccountKey($0.setup.account) == key }
    }
  }

  /// The open sign-in that a redirect with these parameters answers.
  func signIn(for parameters: [RedirectParameter]) -> SignIn? {
    opened.first { $0.exchange.claims(parameters) }
  }

  /// The sign-in that a redirect with these parameters has answered, or would have; it ended a minute ago at most.
  func endedSignIn(for parameters: [RedirectParameter]) -> SignIn? {
    let now = surroundings.clock()
    return ended.last { now - $0.time <= Self.memory && $0.signIn.claims(parameters) }?.signIn
  }

  /// Whether the text is the address of an open sign-in's page, or where the browser starts.
  func isPage(_ text: String) -> Bool {
    func place(_ url: String) -> String? { (try? URLParts(url))?.shown }
    return opened.contains { signIn in
      [signIn.prompt.url, signIn.startAddress].compactMap(\.self).contains { $0 == text || (place($0) != nil && place($0) == place(text)) }
    }
  }

  /// The only open sign-in whose page shows a code to type, and the redirect that this code stands for.
  func typed(_ code: Secret) -> (signIn: SignIn, parameters: [RedirectParameter])? {
    let typed = opened.filter { RedirectChoice.isOutOfBand($0.setup.request.redirectUri) }
    guard typed.count == 1, let parameters = typed[0].exchange.redirect(typed: code) else { return nil }
    return (typed[0], parameters)
  }

  private var opened: [SignIn] { open.withLock { $0 } }

  /// Gives up every sign-in that nobody waits for.
  func abandonUnawaited() async {
    for signIn in opened where signIn.company.isUnattended && signIn.authorization.waiting == 0 {
      await signIn.abandon("ended", CancellationError())
    }
  }

  /// Gives up all that wait for a redirect. A code that is being exchanged is spent, so its exchange goes on without waiters.
  func abandonAll() async {
    for signIn in opened {
      signIn.company.enterUnattended()
      await signIn.abandon("ended", CancellationError())
    }
  }

  nonisolated var isIdle: Bool { open.withLock(\.isEmpty) }

  /// Returns when no code is being exchanged.
  func finishExchanges() async {
    for signIn in opened { await signIn.finishExchange() }
  }

  func giveUp(_ account: String) async { await openSignIn(of: account)?.giveUp() }

  private func didEnd(_ signIn: SignIn) async {
    // The server may have forgotten the client, and only its page says so.
    if signIn.setup.registersClient, case .over(.failed) = await signIn.phase { doubted.insert(signIn.setup.client.id) }
    open.withLock { $0.removeAll { $0 === signIn } }
    surroundings.remark(.signInClosed(account: signIn.setup.account, id: signIn.prompt.id))
    ended.append((signIn, surroundings.clock()))
    if ended.count > 32 { await ended.removeFirst().signIn.stopAnswering() }
  }

  /// What a sign-in would send; the port that it would listen on is free again at once.
  func rehearse(_ setup: AuthorizeSetup) async throws -> Rehearsal {
    if setup.isForClient { return try await Rehearsal.ofClient(setup, surroundings: surroundings) }
    if setup.usesDevice { return try await Rehearsal.ofDevice(setup, surroundings: surroundings) }
    let (listener, redirectUri, _) = try await redirect(setup)
    listener?.close()
    await listener?.finish()
    return try await Rehearsal.of(setup, redirectUri: redirectUri, surroundings: surroundings) { setup, surroundings in
      try await Self.begin(setup, redirectUri, surroundings)
    }
  }

  private func start(_ setup: AuthorizeSetup) async throws -> SignIn {
    var setup = setup
    if doubted.contains(setup.client.id) { setup.registered = nil }
    let asked = setup
    if setup.usesDevice {
      do {
        let exchange = try await Self.inTime(setup) { [surroundings] in
          let registered = try await asked.registered(redirectUri: nil, http: surroundings.http)
          return try await DeviceSignIn.begin(registered, redirectUri: "", surroundings: surroundings)
        }
        return signIn(setup, exchange, nil)
      } catch let failure as OAuthFailure where setup.request.flow == .auto && failure.kind == .authorizationServerError {
        // Most clients are not registered for it, and then the bare URL is better than nothing.
        surroundings.remark(.deviceFlowLeft(account: setup.account))
      }
    }
    let (listener, redirectUri, desk) = try await redirect(setup)
    let exchange: any SignInProtocol
    do {
      exchange = try await Self.inTime(setup) { [surroundings] in
        try await Self.begin(
          try await asked.registered(redirectUri: redirectUri, http: surroundings.http), redirectUri, surroundings)
      }
    } catch {
      listener?.close()
      await listener?.finish()
      throw error
    }
    let signIn = signIn(setup, exchange, listener)
    desk?.serve(signIn)
    return signIn
  }

  /// A provider that has to be asked before there is a page may say nothing for longer than anybody waits.
  private static func inTime<Value: Sendable>(
    _ setup: AuthorizeSetup, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let value = try await within(setup.request.timeout, work) else { throw SignIn.timedOut(setup.request.timeout) }
    return value
  }

  private func signIn(_ setup: AuthorizeSetup, _ exchange: any SignInProtocol, _ listener: LoopbackListener?) -> SignIn {
    let timeout = setup.request.timeout
    let prompt = SignInPrompt(
      id: Base64.encodeURL(surroundings.random(9)), url: exchange.url, userCode: exchange.userCode,
      verificationUri: exchange.verificationUri,
      expiresAt: surroundings.clock() + min(timeout, exchange.lifetime ?? timeout, exchange.pageLifetime ?? timeout))
    return SignIn(
      setup: setup, prompt: prompt, exchange: exchange, listener: listener, surroundings: surroundings, refreshes: refreshes,
      onEnd: { [weak self] in await self?.didEnd($0) })
  }

  private static func begin(
    _ setup: AuthorizeSetup, _ redirectUri: String, _ surroundings: Surroundings
  ) async throws -> any SignInProtocol {
    switch setup.provider.protocolName {
    case .oauth2: try await OAuth2SignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    case .openid2: try await OpenIDSignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    case .oauth1: try await OAuth1SignIn.begin(setup, redirectUri: redirectUri, surroundings: surroundings)
    }
  }

  /// Opens the port that the redirect comes to; none where the client itself catches it.
  private func redirect(_ setup: AuthorizeSetup) async throws -> (LoopbackListener?, String, RedirectDesk?) {
    let (address, pinned) = try RedirectChoice.address(
      setup.request.redirectUri, setup.provider, isRegistering: setup.registersClient)
    guard let address = address.map(setup.preferringRegisteredPort) else { return (nil, pinned ?? "", nil) }
    // A listener that answers for an ended sign-in makes way; what it would say, the next one on the port says.
    for (signIn, _) in ended { await signIn.free(address.ports) }
    let desk = RedirectDesk(self, surroundings.remark)
    do throws(LoopbackFailure) {
      let listener = try LoopbackListener.open(
        address, startPath: "/start/" + Base64.encodeURL(surroundings.random(16)), remark: surroundings.remark, handler: desk.answer)
      return (listener, pinned ?? listener.redirectUri, desk)
    } catch {
      switch error {
      case .portInUse(let ports):
        throw OAuthFailure(
          .portInUse, "the port \(ports.map(String.init).joined(separator: ", ")) for the redirect is in use",
          details: [.init("port", .integer(Int(ports.first ?? 0)))], isRetryable: true)
      case .unavailable(let reason):
        throw OAuthFailure(
          .networkFailure, "the loopback address cannot be listened on: \(reason)", details: [.init("cause", "loopback")],
          isRetryable: reason.hasSuffix(Descriptors.exhausted))
      }
    }
  }
}
