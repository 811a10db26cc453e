import Jansson
import Loopback
import OAuthCore
import Plans
import Platform
import Synchronization

/// The sign-ins that redirects and requests look for: the open ones, which the accounts have, and those that ended a moment ago.
package final class SignIns: Sendable {
  private struct State {
    /// The most recent sign-ins that ended, for `awaitSignIn` and for their pages. Their number is limited.
    var ended: [(signIn: SignIn, time: Int)] = []
    /// Registered clients whose last page failed. The next page gets another client.
    var suspectClients: Set<String> = []
  }

  /// Seconds for which an ended sign-in answers redirects: as long as its listener answers.
  private static let endedRetentionSeconds = 60

  let dependencies: Dependencies
  let registeredPorts: RegisteredPort.All
  private let lives: Lives
  private let state = Mutex(State())
  /// Held while a port is opened and noted. A redirect that arrives as soon as the port is open waits for the note.
  private let opening = Mutex(())

  init(_ dependencies: Dependencies, _ lives: Lives) {
    (self.dependencies, self.lives) = (dependencies, lives)
    registeredPorts = RegisteredPort.All(clock: dependencies.clock, notes: dependencies.notes, log: dependencies.logSink)
  }

  /// Sorted by account, so that several end in the same order each time.
  var open: [SignIn] { lives.all.compactMap(\.signIn).sorted { $0.plan.account < $1.plan.account } }
  var ended: [(signIn: SignIn, time: Int)] { state.withLock { $0.ended } }

  func find(id: String) -> SignIn? { openSignIn(id: id) ?? ended.first { $0.signIn.prompt.id == id }?.signIn }

  func openSignIn(id: String) -> SignIn? { open.first { $0.prompt.id == id } }

  /// Returns the open sign-in that a redirect with these parameters answers.
  func openSignIn(for parameters: [RedirectParameter]) -> SignIn? { open.first { $0.exchange.claims(parameters) } }

  /// Returns an ended sign-in for a redirect with these parameters. It ended at most a minute ago.
  func endedSignIn(for parameters: [RedirectParameter]) -> SignIn? {
    let now = dependencies.clock.now
    return ended.last { now - $0.time <= Self.endedRetentionSeconds && $0.signIn.claims(parameters) }?.signIn
  }

  /// Whether the text is the URL of an open sign-in's page, or its start address.
  func isPage(_ text: String) -> Bool {
    func place(_ url: String) -> String? { (try? URLParts(url))?.shown }
    return open.contains { signIn in
      [signIn.prompt.url, signIn.startAddress].compactMap(\.self).contains { $0 == text || (place($0) != nil && place($0) == place(text)) }
    }
  }

  /// Returns the only open sign-in whose page shows a code to type, and the redirect for this code.
  func signInAwaitingTypedCode(_ code: Secret) -> (signIn: SignIn, parameters: [RedirectParameter])? {
    let named = open.filter { $0.exchange is AuthorizationCodeFlow && code.value.contains("#") }
    let typed = named.isEmpty ? open.filter { AuthorizationInput.RedirectChoice.isOutOfBand($0.plan.request.redirectUri) } : named
    let found = typed.compactMap { signIn in signIn.exchange.redirect(typed: code).map { (signIn, $0) } }
    return found.count == 1 ? found[0] : nil
  }

  /// Ends the sign-ins that wait for a redirect: all, or those for which no request waits. A running code exchange continues without waiters, because
  /// its code is used up.
  package func abandon(all: Bool) async {
    for signIn in open where all || signIn.currentPage.withLock({ $0.waiting == 0 }) && signIn.authorization.waiting == 0 {
      signIn.join(false)
      await signIn.abandon("ended", CancellationError())
    }
  }

  /// Returns when no code is being exchanged.
  func finishExchanges() async { for signIn in open { await signIn.finishExchange() } }

  func isSuspect(_ client: Client) -> Bool { state.withLock { $0.suspectClients.contains(client.id) } }

  func didEnd(_ signIn: SignIn) async {
    // The server may have forgotten the client, and only its page shows that.
    let isSuspect = if signIn.plan.registersClient, case .ended(.failed, _) = await signIn.state { true } else { false }
    let (now, id) = (dependencies.clock.now, signIn.plan.client.id)
    // It is among the ended before it leaves the open ones. A request that looks for it at this moment finds it.
    let oldest = state.withLock { state -> SignIn? in
      if isSuspect { state.suspectClients.insert(id) }
      state.ended.append((signIn, now))
      return state.ended.count > 32 ? state.ended.removeFirst().signIn : nil
    }
    lives.change(signIn.account.key) { life in
      if life.signIn === signIn { life.page = .none }
    }
    dependencies.log(.init(.debug, "the sign-in \(signIn.prompt.id) of \(signIn.plan.account) is closed"))
    await oldest?.listener?.close()
  }
}

/// Where redirects arrive, and the answers at a registered port.
extension SignIns {
  /// Opens the port for the redirect; none if the client itself catches the redirect.
  ///
  /// A sign-in with a registered port listens on a free one as well, for its start address and for redirects from another process.
  func redirect(_ plan: AuthorizationPlan) async throws -> SignIn.Redirection {
    let (address, pinned) = try AuthorizationInput.RedirectChoice.address(
      plan.request.redirectUri, plan.provider, isRegistering: plan.registersClient, listen: plan.request.listen)
    guard var address = address.map(plan.preferringRegisteredPort) else { return SignIn.Redirection(uri: pinned ?? "") }
    // A listener that answers for an ended sign-in is closed. The registered port gives the same answers.
    for (signIn, _) in ended { await signIn.closePort(ifAmong: address.ports) }
    var redirection = SignIn.Redirection(uri: "")
    do throws(LoopbackListener.Failure) {
      // The user's processes share the port, so that each can go on with the sign-in and use the client again.
      if plan.outlives, address.ports == [0] { address.ports = [try freePort(address.host), 0] }
      try opening.withLock { _ throws(LoopbackListener.Failure) in
        let registered = try registeredPorts.enter(address) { [weak self] in await self?.answer($0) ?? .notOurs }
        redirection.ports = registered?.entered ?? []
        let host = registered == nil ? address.host : address.host.families[0]
        if !address.isLocal { dependencies.log(.redirectInClear(address.name)) }
        let listener = try LoopbackListener.open(
          LoopbackAddress(host: host, path: address.path), startPath: "/start/" + Base64.encodeURL(dependencies.random(16)),
          log: dependencies.logSink
        ) { [signIn = redirection.signIn] in await (try? signIn.value())?.answer($0) ?? .notOurs }
        let uri = address.uri(registered?.port ?? listener.port)
        (redirection.uri, redirection.place) = (pinned ?? uri, address.path.isEmpty ? uri + "/" : uri)
        redirection.listener = listener
        if let state = plan.seededState { redirection.note(state, dependencies.notes) }
      }
      return redirection
    } catch {
      await redirection.finish()
      throw error.failure
    }
  }

  private func freePort(_ host: LoopbackAddress.Host) throws(LoopbackListener.Failure) -> UInt16 {
    let probe = try LoopbackListener.open(LoopbackAddress(host: host), log: dependencies.logSink) { _ in .notOurs }
    defer { probe.close() }
    return probe.port
  }

  /// Returns the requests that a sign-in would send. The port for its listener is freed at once.
  func dryRun(_ plan: AuthorizationPlan) async throws -> DryRun {
    if plan.isForClient || plan.usesDevice { return try await DryRun.withoutRedirect(plan, dependencies: dependencies) }
    let redirection = try await redirect(plan)
    await redirection.finish()
    return try await DryRun.of(plan, redirectUri: redirection.uri, dependencies: dependencies)
  }

  /// Answers what arrives at a registered port: as the sign-in of this process or of another that the redirect belongs to.
  ///
  /// Its redirect URI must be that sign-in's. Otherwise one provider's page could end another provider's sign-in (RFC 9700, 4.4).
  func answer(_ request: LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer {
    // Such as a browser's request for an icon.
    guard !request.parameters.isEmpty else { return .notOurs }
    let open = open.first { $0.claims(request.parameters) }
    if let signIn = open ?? endedSignIn(for: request.parameters), signIn.place.map(request.places.contains) == true {
      return .page(ResultPage(await signIn.page(for: request.parameters)))
    }
    opening.withLock { _ in }
    // Each costs the look-up of a file, and any web page can send thousands.
    for place in request.places {
      for parameter in request.parameters.prefix(64) {
        guard let origin = dependencies.notes.read(about: SignIn.note(place, parameter.value)) else { continue }
        return request.isForwarded ? await relay(request, to: origin) : .forwarded(request.url(at: origin))
      }
    }
    let here = self.open.filter { $0.place.map(request.places.contains) == true }
    if here.count == 1 { return here[0].rejected(request) }
    dependencies.log(.redirectRejected)
    return .notOurs
  }

  /// Brings a redirect to the process with its sign-in, and returns that process's page.
  private func relay(_ redirect: LoopbackRequest.Redirect, to origin: String) async -> LoopbackRequest.Redirect.Answer {
    let query = FormEncoding.encode(redirect.parameters.map { ($0.name, $0.value) })
    var request = HTTPRequest(method: "GET", url: redirect.url(at: origin).prefix { $0 != "?" } + "?" + query)
    request.headers = redirect.acceptLanguage.map { [HTTPHeader("Accept-Language", $0)] } ?? []
    // That process answers when the code has been exchanged.
    (request.timeout, request.isSentOnce) = (110, true)
    return (try? await dependencies.http.send(request)).map(LoopbackRequest.Redirect.Answer.relayed) ?? .notOurs
  }
}
