import Loopback
import OAuthCore
import Platform
import Store
import Synchronization

/// The responses of a sign-in's listener, and when it stops.
extension SignIn {
  /// Whether a redirect with these parameters answers this sign-in's page, or its first one.
  nonisolated func claims(_ parameters: [RedirectParameter]) -> Bool {
    let page = currentPage.withLock { $0 }
    return page.exchange.claims(parameters) || page.first?.claims(parameters) == true
  }

  /// Returns the page for a redirect that arrived at the listener.
  func page(for parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    // The listener's time for this connection may be over. The exchange continues.
    (try? await receive(parameters)) ?? failed(.unknown)
  }

  /// Frees the port for another sign-in if it is one of these.
  func closePort(ifAmong ports: [UInt16]) { if let listener, ports.contains(listener.port) { listener.close() } }

  /// Answers a request to the sign-in's own listener.
  nonisolated func answer(_ request: LoopbackRequest.Redirect) async -> LoopbackRequest.Redirect.Answer {
    if request.isStart { return await start() }
    if claims(request.parameters) { return .page(ResultPage(await page(for: request.parameters))) }
    return rejected(request)
  }

  /// Answers a redirect that does not name this sign-in. The user sees an error in it, and the sign-in goes on, because anyone can send one.
  nonisolated func rejected(_ request: LoopbackRequest.Redirect) -> LoopbackRequest.Redirect.Answer {
    dependencies.log(.redirectRejected)
    guard !request.isForeign, exchange is AuthorizationCodeFlow else { return .notOurs }
    guard let code = request.parameters.statelessError else { return .notOurs }
    currentPage.withLock { $0.statelessError = code }
    return .page(ResultPage(.failed(.rejected, said: code, provider: plan.provider.name)))
  }

  /// Answers a request for the start address: redirects to the page while the sign-in is open, then shows its result.
  private func start() async -> LoopbackRequest.Redirect.Answer {
    switch state {
    case .waiting: return BrowserLauncher.safe(prompt.url).map(LoopbackRequest.Redirect.Answer.elsewhere) ?? .notOurs
    case .exchanging(let exchange): return .page(ResultPage((try? await exchange.shown.value()) ?? failed(.cancelled)))
    case .ended(let outcome, _): return .page(ResultPage(outcome))
    }
  }
}

extension [RedirectParameter] {
  /// The code of an error without the `state`, which the server must repeat (RFC 6749, 4.1.2.1); nil if there is none in the form of the standard's
  /// codes. Any page that the user visits could choose another text, and a server could repeat a secret in it.
  var statelessError: String? {
    func value(_ name: String) -> String? { first { $0.name == name }?.value }
    guard let error = value("error"), !error.isEmpty, error.utf8.count <= 40, value("state") == nil else { return nil }
    return error.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_") } ? error : nil
  }
}

extension SignIn {
  /// Where the redirect of a sign-in arrives.
  struct Redirection {
    /// The redirect URI that is sent to the provider.
    var uri = ""
    /// The redirect URI as a request shows it; nil if the client itself catches the redirect.
    var place: String?
    var listener: LoopbackListener?
    /// Settled when the sign-in is prepared. A page that another process has left may be reloaded before that.
    let signIn = Promise<SignIn>()
    var ports: [RegisteredPort] = []

    /// Notes, for the process that listens on the registered port, where a redirect with this state or token is wanted.
    func note(_ key: Secret, _ notes: ProcessNotes) {
      guard !ports.isEmpty, let listener, let place else { return }
      if case .written(let lock) = notes.write(listener.origin, about: SignIn.note(place, key.value)) { listener.hold(lock) }
    }

    /// Frees the ports of a sign-in that does not begin.
    func finish() async {
      signIn.settle(.failure(CancellationError()))
      for port in ports { port.leave(isEnding: true) }
      await listener?.finish()
    }
  }

  func leaveRegisteredPorts(isEnding: Bool) {
    for port in registeredPorts { port.leave(isEnding: isEnding) }
    registeredPorts = []
  }

  /// Notes where a redirect for the current page is wanted.
  func noteRedirect() {
    guard let key = exchange.redirectKey else { return }
    Redirection(place: place, listener: listener, ports: registeredPorts).note(key, dependencies.notes)
  }

  /// Returns the subject of the note about a redirect with this value.
  static func note(_ place: String, _ value: String) -> String { "redirect \(place) \(value)" }
}

/// What runs while the sign-in waits for its page.
extension SignIn {
  /// Starts the deadline of an open sign-in, and polling if the protocol needs it. Reads the account's grant when it changes, because the user may
  /// sign in with another program.
  func begin() {
    wait?.codeEnd = exchange.device.map { dependencies.clock.now + $0.codes.expiresIn }
    startPage()
    if plan.request.interaction != .always {
      wait?.tasks.append(
        Task { [weak self, notices = account.accounts.ledger.notices(of: plan.account)] in
          for await _ in notices {
            guard await self?.endIfSignedInElsewhere() == false else { return }
          }
        })
      if !account.accounts.ledger.canWatch { look() }
    }
    guard let device = exchange.device else { return }
    wait?.tasks.append(
      Task { [weak self] in
        let result: Result<TokenRequest.Response, any Error>
        do { result = .success(try await device.tokens()) } catch { result = .failure(error) }
        await self?.take(result, from: device)
      })
  }

  /// Takes the result of polling. Ignores it if the sign-in is no longer open.
  private func take(_ result: Result<TokenRequest.Response, any Error>, from device: DeviceFlow) async {
    guard isOpen else { return }
    if case .failure(let failure as OAuthFailure) = result, failure.kind == .timedOut { return await abandon("timedOut", failure) }
    // The sign-in reports the result when it ends.
    _ = try? await conclude { _ in try await device.conclude(result.get()) }
  }

  /// Ends the sign-in after `timeout` seconds, or when the code expires, unless it ends later.
  func end(after timeout: Int) {
    let now = dependencies.clock.now
    let left = min(timeout, wait?.codeEnd.map { $0 - now } ?? timeout)
    guard let wait, now + left > wait.end else { return }
    wait.deadline?.cancel()
    self.wait?.end = now + left
    self.wait?.deadline = Task { [weak self, clock = dependencies.clock, lifetime = exchange.device?.codes.expiresIn] in
      guard (try? await clock.sleep(seconds: left)) != nil else { return }
      if let self { await expire(timedOut(timeout, left < timeout ? lifetime : nil)) }
    }
  }

  /// A request with a longer timeout may have joined just now.
  private func expire(_ failure: OAuthFailure) async { if !Task.isCancelled { await abandon("timedOut", failure) } }
}
