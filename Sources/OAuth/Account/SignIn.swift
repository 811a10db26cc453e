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
  let refreshes: Refreshes
  private let onEnd: @Sendable (SignIn) async -> Void
  var listener: LoopbackListener?
  /// What the listener is bound to, while it is open and afterwards.
  nonisolated let port: UInt16?
  /// What a browser is started with in place of the page's own URL, which any local user could read on its command line.
  nonisolated let startAddress: String?
  /// What the first round brought, which is kept and stands whatever becomes of the second.
  var firstGrant: Grant?
  var phase = Phase.open
  var deadline: Task<Void, Never>?
  /// Held for as long as a page is open in a browser; other processes then open none at the same time.
  var pageLock: GrantLock?
  /// Whether another process's page is waited for instead of opening one's own.
  nonisolated let heldBack = Atomic<Bool>(false)
  var isHeldBack: Bool {
    get { heldBack.load(ordering: .relaxed) }
    set { heldBack.store(newValue, ordering: .relaxed) }
  }
  /// The page that a browser was last opened with, and when.
  var shown: (url: String, time: Int)?
  /// Unix seconds after which the code to type is of no use.
  var codeEnd: Int?
  /// Unix seconds after which the page cannot be opened.
  var pageEnd: Int?
  /// Unix seconds at which the sign-in is given up.
  var givenUpAt = 0
  /// What goes on beside the waiting for a redirect.
  var watching: [Task<Void, Never>] = []
  var ending: Task<Void, Never>?
  private var lingering: Task<Void, Never>?
  /// The exchange that a redirect began, which a sign-in that is stopped cancels.
  var purchase: Task<Purchase, Never>?
  /// What follows the exchange: another page, or the end.
  var conclusion: Task<Void, Never>?
  /// Why the sign-in is stopped while a code is being exchanged.
  var stopped: (reason: String, failure: any Error)?

  init(
    setup: AuthorizeSetup, prompt: SignInPrompt, exchange: any SignInProtocol, listener: LoopbackListener?,
    surroundings: Surroundings, refreshes: Refreshes,
    onEnd: @escaping @Sendable (SignIn) async -> Void
  ) {
    self.setup = setup
    round = Mutex(Round(exchange: exchange, prompt: prompt))
    self.listener = listener
    (port, startAddress) = (listener?.port, listener?.startAddress)
    self.surroundings = surroundings
    self.refreshes = refreshes
    self.onEnd = onEnd
  }

  struct Round: Sendable {
    var exchange: any SignInProtocol
    var prompt: SignInPrompt
    var number = 1
    /// What the first round's redirect answered, so that its page can be loaded again.
    var first: (any SignInProtocol)?
  }

  nonisolated var prompt: SignInPrompt { round.withLock { $0.prompt } }
  nonisolated var exchange: any SignInProtocol { round.withLock { $0.exchange } }
  nonisolated var roundNumber: Int { round.withLock { $0.number } }

  /// Ends an open sign-in and returns when its end is reported. A code that is being exchanged is left alone.
  func abandon(_ reason: String, _ failure: any Error) async {
    guard case .open = phase else { return }
    deadline?.cancel()
    phase = .over(page(withoutGrant: failure))
    // A process that ends answers nothing any more.
    if failure is CancellationError { listener?.close() }
    end(withoutGrant: failure, reason)
    await ending?.value
  }

  /// Lets another page be asked for: an open one is given up, and a code that is being exchanged is waited for.
  func makeWay() async {
    switch phase {
    case .open: await abandon("cancelled", replaced)
    case .concluding: await finishExchange()
    case .over: await ending?.value
    }
  }

  /// Returns when no code is being exchanged: what a code has bought is kept by then.
  func finishExchange() async {
    guard case .concluding(let shown) = phase else { return }
    _ = try? await shown.value()
    await ending?.value
  }

  /// Ends without the round's grant; what an earlier round brought stands.
  func end(withoutGrant failure: any Error, _ reason: String, undoing kept: Refreshes.Kept? = nil) {
    let told = AccountEvent.Fact.signInAbandoned(id: prompt.id, reason: reason)
    if let firstGrant {
      end(.success(firstGrant), telling: told, undoing: kept)
    } else if var failure = failure as? OAuthFailure {
      failure.wasTold = true
      end(.failure(failure.of(setup.account)), telling: told, undoing: kept)
    } else {
      end(.failure(failure), telling: told, undoing: kept)
    }
  }

  /// Lets the page reach the browser and then tells the end; the listener goes on answering for a while.
  func end(
    _ result: Result<Grant, any Error>, via: Via = .signedIn, telling fact: AccountEvent.Fact? = nil, undoing kept: Refreshes.Kept? = nil
  ) {
    let listener = listener
    listener?.linger()
    pageLock = nil
    for task in watching { task.cancel() }
    ending = Task { [self] in
      if let kept { await undo(kept) }
      await onEnd(self)
      await listener?.settle()
      if let fact { surroundings.tell(event(fact)) }
      settle(result, via)
    }
    lingering = Task { [weak self] in
      await listener?.end()
      await self?.forgetListener()
    }
  }

  private func forgetListener() { listener = nil }

  private func settle(_ result: Result<Grant, any Error>, _ via: Via) {
    switch result {
    case .success(let grant):
      var authorization = Authorization(grant, via: via, asked: setup.scopes, now: surroundings.clock())
      authorization.subjectChanged = setup.knownUser?.isAnother(than: grant) ?? false
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
}
