import Jansson
import Synchronization

/// One sign-in from the page that is asked for to the grant that is kept, or to why there is none.
actor SignIn {
  private enum Phase {
    case open
    /// A redirect has come and its code is being exchanged; a code is never tried twice.
    case concluding(Promise<ResultPage.Outcome>)
    case over(ResultPage.Outcome)
  }

  nonisolated let setup: AuthorizeSetup
  /// Which page is asked for; a second one where the first brought less than was wanted.
  private nonisolated let round: Mutex<Round>
  /// Settled when everything is done: the grant kept, the page shown, the port free and the event told.
  nonisolated let authorization = Promise<Authorization>()
  /// How many requests want to hear of the end; counted from the moment they join, before they begin to wait.
  private nonisolated let interest = Atomic<Int>(0)

  private let surroundings: Surroundings
  private let keep: @Sendable (Grant) async throws -> Grant
  private let onEnd: @Sendable (SignIn) async -> Void
  private var listener: LoopbackListener?
  /// What the first round brought, which is kept and stands whatever becomes of the second.
  private var firstGrant: Grant?
  private var phase = Phase.open
  private var deadline: Task<Void, Never>?
  private var polling: Task<Void, Never>?
  private var ending: Task<Void, Never>?

  init(
    setup: AuthorizeSetup, prompt: SignInPrompt, exchange: any SignInProtocol, listener: LoopbackListener?,
    surroundings: Surroundings, keep: @escaping @Sendable (Grant) async throws -> Grant,
    onEnd: @escaping @Sendable (SignIn) async -> Void
  ) {
    self.setup = setup
    round = Mutex(Round(exchange: exchange, prompt: prompt))
    self.listener = listener
    self.surroundings = surroundings
    self.keep = keep
    self.onEnd = onEnd
  }

  private struct Round: Sendable {
    var exchange: any SignInProtocol
    var prompt: SignInPrompt
  }

  nonisolated var prompt: SignInPrompt { round.withLock { $0.prompt } }
  nonisolated var exchange: any SignInProtocol { round.withLock { $0.exchange } }

  nonisolated func join() { interest.add(1, ordering: .relaxed) }

  /// How many are left.
  @discardableResult
  nonisolated func leave() -> Int { interest.subtract(1, ordering: .relaxed).newValue }

  /// Begins what goes on while the sign-in is open: its time runs, and the provider is asked where that is the protocol's way.
  func start() {
    startDeadline()
    guard let questions = exchange.polling else { return }
    polling = Task { [weak self] in
      let result: Result<TokenResponse, any Error>
      do {
        result = .success(try await questions.tokens())
      } catch {
        result = .failure(error)
      }
      await self?.take(result)
    }
  }

  /// Takes what polling has come to; what was given up meanwhile stays so.
  private func take(_ result: Result<TokenResponse, any Error>) async {
    guard case .open = phase else { return }
    if case .failure(let failure as OAuthFailure) = result, failure.kind == .timedOut {
      return await abandon("timedOut", failure)
    }
    _ = await conclude { try await $0.conclude(result.get()) }
  }

  /// Gives the sign-in up after its time, or after the code's.
  private func startDeadline() {
    deadline = Task { [weak self, timeout = setup.request.timeout, lifetime = exchange.lifetime] in
      guard (try? await Task.sleep(for: .seconds(min(timeout, lifetime ?? timeout)))) != nil else { return }
      await self?.abandon("timedOut", Self.timedOut(timeout, lifetime))
    }
  }

  private static func timedOut(_ timeout: Int, _ lifetime: Int?) -> OAuthFailure {
    guard let lifetime, lifetime < timeout else {
      return OAuthFailure(.timedOut, "nobody finished the sign-in in \(timeout) s", isRetryable: true)
    }
    return OAuthFailure(.timedOut, "nobody signed in within the \(lifetime) s that the code to type was good for", isRetryable: true)
  }

  /// Takes a redirect that the exchange claims, wherever it came in, and says what the page is to show.
  ///
  /// One that was claimed just before the second round began belongs to the first, and must not spend the second.
  func receive(_ parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    if case .open = phase, firstGrant != nil, !exchange.claims(parameters) { return .unfinished(provider: setup.provider.name) }
    return await conclude { try await $0.conclude(parameters) }
  }

  private func conclude(_ buy: @escaping @Sendable (any SignInProtocol) async throws -> Grant) async -> ResultPage.Outcome {
    switch phase {
    case .over(let outcome): return outcome
    case .concluding(let outcome):
      do {
        return try await outcome.value()
      } catch {
        return .failed(reason: "cancelled")
      }
    case .open: break
    }
    let shown = Promise<ResultPage.Outcome>()
    phase = .concluding(shown)
    deadline?.cancel()
    // Whoever brought the redirect may go or be cancelled; the code is spent all the same, so what it bought is kept.
    let conclusion = Task { await kept(buy) }
    var result = await conclusion.value
    if case .success(let grant) = result, beginAgain(lacking: grant) {
      shown.settle(.success(.unfinished(provider: setup.provider.name)))
      return .unfinished(provider: setup.provider.name)
    }
    if case .failure(let failure) = result, let firstGrant {
      if let failure = failure as? OAuthFailure { surroundings.tell(event(.failed(failure))) }
      result = .success(firstGrant)
    }
    let page = Self.page(result, setup)
    phase = .over(page)
    shown.settle(.success(page))
    end(result)
    return page
  }

  /// Ends a sign-in that nobody will finish; returns when its port is free and the end is told.
  func abandon(_ reason: String, _ failure: any Error) async {
    guard case .open = phase else { return }
    deadline?.cancel()
    phase = .over(.failed(reason: "given up"))
    let fact = AccountEvent.Fact.signInAbandoned(id: prompt.id, reason: reason)
    if let firstGrant {
      end(.success(firstGrant), telling: fact)
    } else if var failure = failure as? OAuthFailure {
      failure.wasTold = true
      end(.failure(failure.of(setup.account)), telling: fact)
    } else {
      end(.failure(failure), telling: fact)
    }
    await ending?.value
  }

  /// Asks for another page where the exchange knows one that may bring what the grant lacks; once, since the second round has no other.
  private func beginAgain(lacking grant: Grant) -> Bool {
    guard firstGrant == nil else { return false }
    do {
      guard let next = try exchange.again(lacking: grant) else { return false }
      firstGrant = grant
      let now = surroundings.clock()
      let prompt = SignInPrompt(
        id: prompt.id, url: next.url, expiresAt: now + setup.request.timeout, reason: .refreshTokenMissing)
      round.withLock { $0 = Round(exchange: next, prompt: prompt) }
    } catch {
      // What has been granted is good by itself.
      return false
    }
    phase = .open
    startDeadline()
    surroundings.tell(event(.signInRequested(prompt)))
    if setup.request.opensBrowser { surroundings.open(prompt, of: setup.account) }
    return true
  }

  private func kept(_ buy: @Sendable (any SignInProtocol) async throws -> Grant) async -> Result<Grant, any Error> {
    do {
      let grant = try await keep(try await buy(exchange))
      // What the code has bought is kept by now, whatever becomes of this process while the exchange lasts.
      let longLived = await LongLivedExchange(surroundings: surroundings, cause: setup.request.cause).exchanged(grant)
      guard let longLived else { return .success(grant) }
      return .success(try await keep(longLived))
    } catch let failure as OAuthFailure {
      return .failure(failure.of(setup.account))
    } catch {
      return .failure(error)
    }
  }

  /// Frees the port first, lets the page reach the browser, and then tells the end, so that the next sign-in can have the same port at once.
  private func end(_ result: Result<Grant, any Error>, telling fact: AccountEvent.Fact? = nil) {
    let listener = listener
    self.listener = nil
    listener?.close()
    polling?.cancel()
    ending = Task { [self] in
      await onEnd(self)
      await listener?.finish()
      if let fact { surroundings.tell(event(fact)) }
      settle(result)
    }
  }

  private func settle(_ result: Result<Grant, any Error>) {
    switch result {
    case .success(let grant):
      let authorization = Authorization(grant, via: .signedIn, asked: setup.scopes, now: surroundings.clock())
      surroundings.tell(event(.authorized(authorization)))
      self.authorization.settle(.success(authorization))
    case .failure(var failure as OAuthFailure):
      if !failure.wasTold { surroundings.tell(event(.failed(failure))) }
      failure.wasTold = true
      authorization.settle(.failure(failure))
    case .failure(let error): authorization.settle(.failure(error))
    }
  }

  private func event(_ fact: AccountEvent.Fact) -> AccountEvent {
    AccountEvent(account: setup.account, cause: setup.request.cause, fact: fact)
  }

  private static func page(_ result: Result<Grant, any Error>, _ setup: AuthorizeSetup) -> ResultPage.Outcome {
    switch result {
    case .success: .succeeded(account: setup.account, provider: setup.provider.name)
    case .failure(let failure as OAuthFailure) where failure.kind == .accessDenied: .denied
    case .failure(let failure as OAuthFailure): .failed(reason: failure.message)
    case .failure: .failed(reason: "the sign-in could not be finished")
    }
  }
}
