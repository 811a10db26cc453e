import Jansson
import Synchronization

/// One sign-in from the page that is asked for to the grant that is kept, or to why there is none.
actor SignIn {
  enum Phase {
    case open
    /// A redirect has come and its code is being exchanged; a code is never tried twice.
    case concluding(Promise<ResultPage.Outcome>)
    case over(ResultPage.Outcome)
  }

  nonisolated let setup: AuthorizeSetup
  /// Which page is asked for; a second one where the first brought less than was wanted.
  nonisolated let round: Mutex<Round>
  /// Settled when everything is done: the grant kept, the page shown, the port free and the event told.
  nonisolated let authorization = Promise<Authorization>()
  nonisolated let company = Company()

  let surroundings: Surroundings
  private let keep: Keep
  private let onEnd: @Sendable (SignIn) async -> Void
  private var listener: LoopbackListener?
  /// What the first round brought, which is kept and stands whatever becomes of the second.
  var firstGrant: Grant?
  var phase = Phase.open
  var deadline: Task<Void, Never>?
  /// Held for as long as a page is open in a browser; other processes then open none at the same time.
  var pageLock: GrantLock?
  /// Whether another process's page is waited for instead of opening one's own.
  var isHeldBack = false
  /// The page that a browser was last opened with, and when.
  var shown: (url: String, time: Int)?
  /// Unix seconds after which the code to type is of no use.
  var codeEnd: Int?
  /// What goes on beside the waiting for a redirect.
  var watching: [Task<Void, Never>] = []
  var ending: Task<Void, Never>?

  init(
    setup: AuthorizeSetup, prompt: SignInPrompt, exchange: any SignInProtocol, listener: LoopbackListener?,
    surroundings: Surroundings, keep: @escaping Keep,
    onEnd: @escaping @Sendable (SignIn) async -> Void
  ) {
    self.setup = setup
    round = Mutex(Round(exchange: exchange, prompt: prompt))
    self.listener = listener
    self.surroundings = surroundings
    self.keep = keep
    self.onEnd = onEnd
  }

  /// Keeps a grant, unless it is not wanted any more by the time that it can be.
  typealias Keep = @Sendable (Grant, _ isWanted: @escaping @Sendable () -> Bool) async throws -> Grant

  struct Round: Sendable {
    var exchange: any SignInProtocol
    var prompt: SignInPrompt
    var number = 1
  }

  nonisolated var prompt: SignInPrompt { round.withLock { $0.prompt } }
  nonisolated var exchange: any SignInProtocol { round.withLock { $0.exchange } }
  nonisolated var roundNumber: Int { round.withLock { $0.number } }
  /// Takes a redirect that the exchange claims, wherever it came in, and says what the page is to show.
  ///
  /// One that was claimed just before the second round began belongs to the first, and must not spend the second.
  func receive(_ parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    if case .open = phase, firstGrant != nil, !exchange.claims(parameters) { return .unfinished(provider: setup.provider.name) }
    return await conclude { try await $0.conclude(parameters) }
  }

  func conclude(_ buy: @escaping @Sendable (any SignInProtocol) async throws -> Grant) async -> ResultPage.Outcome {
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
    if case .success(let grant) = result, !company.isUnwanted, await beginAgain(lacking: grant) {
      shown.settle(.success(.unfinished(provider: setup.provider.name)))
      return .unfinished(provider: setup.provider.name)
    }
    if company.isUnwanted {
      phase = .over(.failed(reason: "given up"))
      shown.settle(.success(.failed(reason: "given up")))
      end(.failure(cancelled), telling: abandoned("cancelled"))
      return .failed(reason: "given up")
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
    if let firstGrant {
      end(.success(firstGrant), telling: abandoned(reason))
    } else if var failure = failure as? OAuthFailure {
      failure.wasTold = true
      end(.failure(failure.of(setup.account)), telling: abandoned(reason))
    } else {
      end(.failure(failure), telling: abandoned(reason))
    }
    await ending?.value
  }

  /// Lets another page be asked for: an open one is given up, and a code that is being exchanged is waited for.
  func makeWay() async {
    switch phase {
    case .open: await abandon("cancelled", replaced)
    case .concluding(let shown):
      _ = try? await shown.value()
      await ending?.value
    case .over: await ending?.value
    }
  }

  /// Gives the sign-in up for good: what a code that is being exchanged buys is not kept.
  func giveUp() async {
    company.forgetAccount()
    firstGrant = nil
    await abandon("cancelled", cancelled)
  }

  /// Asks for another page where the exchange knows one that may bring what the grant lacks; once, since the second round has no other.
  private func beginAgain(lacking grant: Grant) async -> Bool {
    guard firstGrant == nil else { return false }
    do {
      // The account may be forgotten while the provider is told of the second request.
      guard let next = try await exchange.again(lacking: grant), !company.isUnwanted else { return false }
      firstGrant = grant
      let now = surroundings.clock()
      let prompt = SignInPrompt(
        id: prompt.id, url: next.url, expiresAt: now + setup.request.timeout, reason: .refreshTokenMissing)
      round.withLock { $0 = Round(exchange: next, prompt: prompt, number: $0.number + 1) }
    } catch {
      // What has been granted is good by itself.
      return false
    }
    phase = .open
    startDeadline(setup.request.timeout)
    await ask(for: setup.request)
    return true
  }

  private func kept(_ buy: @Sendable (any SignInProtocol) async throws -> Grant) async -> Result<Grant, any Error> {
    do {
      let isWanted: @Sendable () -> Bool = { [company] in !company.isUnwanted }
      let grant = try await keep(try await buy(exchange), isWanted)
      // What the code has bought is kept by now, whatever becomes of this process while the exchange lasts.
      let longLived = await LongLivedExchange(surroundings: surroundings, cause: setup.request.cause).exchanged(grant)
      guard let longLived else { return .success(grant) }
      return .success(try await keep(longLived, isWanted))
    } catch let failure as OAuthFailure {
      return .failure(failure.of(setup.account))
    } catch {
      return .failure(error)
    }
  }

  /// Frees the port first, lets the page reach the browser, and then tells the end, so that the next sign-in can have the same port at once.
  func end(_ result: Result<Grant, any Error>, via: Via = .signedIn, telling fact: AccountEvent.Fact? = nil) {
    let listener = listener
    self.listener = nil
    listener?.close()
    pageLock = nil
    for task in watching { task.cancel() }
    ending = Task { [self] in
      await onEnd(self)
      await listener?.finish()
      if let fact { surroundings.tell(event(fact)) }
      settle(result, via)
    }
  }

  private func settle(_ result: Result<Grant, any Error>, _ via: Via) {
    switch result {
    case .success(let grant):
      let authorization = Authorization(grant, via: via, asked: setup.scopes, now: surroundings.clock())
      surroundings.tell(event(.authorized(authorization)))
      self.authorization.settle(.success(authorization))
    case .failure(var failure as OAuthFailure):
      if !failure.wasTold { surroundings.tell(event(.failed(failure))) }
      failure.wasTold = true
      authorization.settle(.failure(failure))
    case .failure(let error): authorization.settle(.failure(error))
    }
  }

  func event(_ fact: AccountEvent.Fact) -> AccountEvent {
    AccountEvent(account: setup.account, cause: setup.request.cause, fact: fact)
  }

  private func abandoned(_ reason: String) -> AccountEvent.Fact { .signInAbandoned(id: prompt.id, reason: reason) }
}
