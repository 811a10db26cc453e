import Jansson
import Loopback
import OAuthCore
import Platform
import Synchronization

/// The open sign-ins, at most one per account.
actor SignInRegistry {
  let dependencies: Dependencies
  /// In a separate lock, because an account's state is read without waiting for the actor.
  private let open = Mutex<[SignIn]>([])
  /// Accounts whose sign-in is being prepared, which may need a request to the provider.
  private var starting: [AccountKey: Promise<Void>] = [:]
  /// The most recent sign-ins that ended, for `awaitSignIn` and for their pages. Their number is limited.
  private(set) var ended: [(signIn: SignIn, time: Int)] = []
  /// Seconds for which an ended sign-in answers redirects: as long as its listener answers.
  private static let endedRetentionSeconds = 60

  lazy var registeredPorts = RegisteredPort.All(clock: dependencies.clock, notes: dependencies.notes, log: dependencies.logSink) {
    [weak self] in await self?.answer($0) ?? .notOurs
  }

  /// Registered clients whose last page failed. The next page gets another client.
  private var suspectClients: Set<String> = []

  init(_ dependencies: Dependencies) { self.dependencies = dependencies }

  /// Returns the account's open sign-in if the plan can join it (`isJoinable`), and starts one if none is open.
  /// Any other open sign-in throws `signInInProgress`.
  ///
  /// Interaction `always` replaces the open sign-in of the same client, because its tab may be closed or a different user may have to sign in.
  /// Equal requests for a stronger sign-in share one page.
  func enter(_ plan: AuthorizationPlan, of account: Account) async throws -> SignIn {
    let key = AccountKey(plan.account)
    while true {
      try Task.checkCancellation()
      if let other = openSignIn(of: plan.account) {
        if plan.replaces(other.plan) {
          try await withinTimeout(plan) { await other.endForAnother() }
        } else if !other.plan.isJoinable(by: plan) {
          throw other.inProgress(for: plan)
        } else if try await other.join(plan.request) {
          return other
        }
        continue
      }
      guard let starting = starting[key] else { break }
      // The failure of the other preparation is reported to its own caller. This request tries again.
      try await withinTimeout(plan) { _ = try? await starting.value() }
    }
    let started = Promise<Void>()
    starting[key] = started
    defer {
      starting[key] = nil
      started.settle(.success(()))
    }
    let signIn = try await start(plan, account)
    signIn.waiters.withLock { $0 = [.init(plan.request)] }
    open.withLock { $0.append(signIn) }
    dependencies.log(.signInOpened(account: plan.account, id: signIn.prompt.id))
    await signIn.begin()
    await signIn.ask(for: plan.request)
    return signIn
  }

  func signIn(id: String) -> SignIn? { openSignIn(id: id) ?? ended.first { $0.signIn.prompt.id == id }?.signIn }

  func openSignIn(id: String) -> SignIn? { opened.first { $0.prompt.id == id } }

  nonisolated func openSignIn(of account: String) -> SignIn? {
    open.withLock { open in
      guard !open.isEmpty else { return nil }
      let key = AccountKey(account)
      return open.first { AccountKey($0.plan.account) == key }
    }
  }

  /// Returns the open sign-in that a redirect with these parameters answers.
  func signIn(for parameters: [RedirectParameter]) -> SignIn? {
    opened.first { $0.exchange.claims(parameters) }
  }

  /// Returns an ended sign-in for a redirect with these parameters. It ended at most a minute ago.
  func endedSignIn(for parameters: [RedirectParameter]) -> SignIn? {
    let now = dependencies.clock.now
    return ended.last { now - $0.time <= Self.endedRetentionSeconds && $0.signIn.claims(parameters) }?.signIn
  }

  /// Whether the text is the URL of an open sign-in's page, or its start address.
  func isPage(_ text: String) -> Bool {
    func place(_ url: String) -> String? { (try? URLParts(url))?.shown }
    return opened.contains { signIn in
      [signIn.prompt.url, signIn.startAddress].compactMap(\.self).contains { $0 == text || (place($0) != nil && place($0) == place(text)) }
    }
  }

  /// Returns the only open sign-in whose page shows a code to type, and the redirect for this code.
  func typed(_ code: Secret) -> (signIn: SignIn, parameters: [RedirectParameter])? {
    let named = opened.filter { $0.exchange is AuthorizationCodeFlow && code.value.contains("#") }
    let typed = named.isEmpty ? opened.filter { AuthorizationInput.RedirectChoice.isOutOfBand($0.plan.request.redirectUri) } : named
    let found = typed.compactMap { signIn in signIn.exchange.redirect(typed: code).map { (signIn, $0) } }
    return found.count == 1 ? found[0] : nil
  }

  var opened: [SignIn] { open.withLock { $0 } }

  /// Ends every sign-in without a waiter.
  func abandonUnawaited() async {
    for signIn in opened where signIn.waiters.withLock({ !$0.contains(.untilEnd) }) && signIn.authorization.waiting == 0 {
      await signIn.abandon("ended", CancellationError())
    }
  }

  /// Ends all sign-ins that wait for a redirect. A running code exchange continues without waiters, because its code is used up.
  func abandonAll() async {
    for signIn in opened {
      signIn.waiters.withLock { $0.append(.background) }
      await signIn.abandon("ended", CancellationError())
    }
  }

  nonisolated var isIdle: Bool { open.withLock { $0.isEmpty } }

  /// Returns when no code is being exchanged.
  func finishExchanges() async {
    for signIn in opened { await signIn.finishExchange() }
  }

  func endForSignOut(_ account: String) async { await openSignIn(of: account)?.endForSignOut() }

  private func didEnd(_ signIn: SignIn) async {
    // The server may have forgotten the client, and only its page shows that.
    if signIn.plan.registersClient, case .ended(.failed, _) = await signIn.state { suspectClients.insert(signIn.plan.client.id) }
    open.withLock { $0.removeAll { $0 === signIn } }
    dependencies.log(.signInClosed(account: signIn.plan.account, id: signIn.prompt.id))
    ended.append((signIn, dependencies.clock.now))
    if ended.count > 32 { await ended.removeFirst().signIn.listener?.close() }
  }

  private func start(_ plan: AuthorizationPlan, _ account: Account) async throws -> SignIn {
    var plan = plan
    if suspectClients.contains(plan.client.id) { plan.registered = nil }
    let asked = plan
    if plan.usesDevice {
      do {
        let exchange = try await withinTimeout(plan) { [dependencies] in
          let registered = try await asked.registered(redirectUri: nil, http: dependencies.http)
          return try await DeviceFlow.begin(registered, dependencies: dependencies)
        }
        return signIn(plan, account, exchange, SignIn.Redirection(uri: ""))
      } catch let failure as OAuthFailure where plan.request.flow == .auto && failure.kind == .authorizationServerError {
        // Most clients are not registered for the device flow. The bare URL is then better than no page.
        dependencies.log(.deviceFlowLeft(account: plan.account))
      }
    }
    let redirection = try await redirect(plan)
    let exchange: any SignInFlow
    do {
      exchange = try await withinTimeout(plan) { [dependencies] in
        let registered = try await asked.registered(redirectUri: redirection.uri, http: dependencies.http)
        return try await registered.flow(redirectUri: redirection.uri, dependencies: dependencies)
      }
    } catch {
      await redirection.finish()
      throw error
    }
    let signIn = signIn(plan, account, exchange, redirection)
    redirection.router?.serve(signIn)
    return signIn
  }

  /// Limits preparation to the request's timeout: a provider that is asked before there is a page may not answer.
  private func withinTimeout<Value: Sendable>(
    _ plan: AuthorizationPlan, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let value = try await dependencies.clock.withTimeout(plan.request.timeout, work) else {
      throw SignIn.timedOut(plan.request.timeout)
    }
    return value
  }

  private func signIn(
    _ plan: AuthorizationPlan, _ account: Account, _ exchange: any SignInFlow, _ redirection: SignIn.Redirection
  ) -> SignIn {
    let timeout = plan.request.timeout
    let codes = exchange.device?.codes
    let prompt = SignInPrompt(
      id: Base64.encodeURL(dependencies.random(9)), url: exchange.url, userCode: codes?.userCode,
      verificationUri: codes?.verificationUri,
      expiresAt: dependencies.clock.now + min(timeout, codes?.expiresIn ?? timeout, exchange.pageLifetime ?? timeout))
    return SignIn(
      plan: plan, prompt: prompt, exchange: exchange, redirection: redirection, account: account,
      onEnd: { [weak self] in await self?.didEnd($0) })
  }
}
