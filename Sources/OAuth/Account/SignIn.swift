import Loopback
import OAuthCore
import Plans
import Platform
import Store
import Synchronization

/// One sign-in, from opening the page to the stored grant or the failure.
///
/// `begin` starts the listener, `showPage` opens the page, a redirect enters through `page(for:)`, `receive` and `conclude` exchange its code,
/// `Account.keep` stores the grant, and `end` settles all waiters. A failure, the deadline or a sign-out goes to `end` directly.
actor SignIn {
  enum State {
    /// A page is open.
    case waiting(Wait)
    /// A redirect has arrived and its code is being exchanged. A code is never tried twice.
    case exchanging(Exchange)
    /// What the page shows now, and the task that reports the end.
    case ended(ResultPage.Outcome, Task<Void, Never>)
  }

  /// What counts until the page has brought a grant.
  struct Wait {
    /// The grant of the first page, if this is the second one. It is stored and stays valid regardless of this page.
    var firstGrant: Grant?
    /// The note by which other processes open no page for the account. It is held while a page is open in a browser.
    var note: GrantLock?
    /// Whether this process waits for another process's page instead of opening its own.
    var isForOtherPage = false
    /// The page that a browser was last opened with, and when.
    var shown: (url: String, time: Int)?
    /// Unix seconds after which the page cannot be opened.
    var pageEnd: Int?
    /// Unix seconds at which the code to type expires.
    var codeEnd: Int?
    /// Unix seconds at which the sign-in ends, and the task that ends it then.
    var end = 0
    var deadline: Task<Void, Never>?
    /// Unix seconds at which the page is of no use any more.
    var promptEnd: Int { min(end, pageEnd ?? .max) }
    /// Whether the client was told that the account's stored grant cannot be read.
    var hasReportedFault = false
    /// They look for the end of the sign-in elsewhere.
    var tasks: [Task<Void, Never>] = []
  }

  /// The exchange that a redirect started.
  struct Exchange {
    /// What the page shows after the exchange.
    let shown: Promise<ResultPage.Outcome>
    /// The exchange itself. Stopping the sign-in cancels it.
    let exchangeResult: Task<ExchangeResult, Never>
    /// The step after the exchange: another page, or the end.
    let conclusion: Task<Void, Never>
    var wait: Wait
    /// Why the sign-in is stopped.
    var stopped: (reason: String, failure: any Error)?
  }

  nonisolated let plan: AuthorizationPlan
  /// The current page. In a lock of its own, because it is read without waiting for the actor.
  nonisolated let currentPage: Mutex<Page>
  /// Settled when the grant is stored, the browser has its last page (after at most 2 s) and the event is sent.
  /// The listener may keep its port for another minute, to answer a repeated redirect.
  /// Its failures are `OAuthFailure.Reported`.
  nonisolated let authorization = Promise<Authorization>()

  let dependencies: Dependencies
  let account: Account
  var listener: LoopbackListener?
  /// The registered port on each of the host's addresses, while the sign-in is open.
  var registeredPorts: [RegisteredPort]
  /// The redirect URI as a request shows it; nil if the client itself catches the redirect.
  nonisolated let place: String?
  /// The address that the browser opens instead of the page's URL. Any local user could read that URL on the browser's command line.
  nonisolated let startAddress: String?
  var state = State.waiting(Wait())
  private var keepingListener: Task<Void, Never>?

  init(plan: AuthorizationPlan, prompt: SignInPrompt, exchange: any SignInFlow, redirection: Redirection, account: Account) {
    self.plan = plan
    let waits = plan.request.waits
    currentPage = Mutex(Page(exchange: exchange, prompt: prompt, waiting: waits ? 1 : 0, isForBackground: !waits))
    (listener, registeredPorts, place) = (redirection.listener, redirection.ports, redirection.place)
    startAddress = redirection.listener?.startAddress
    dependencies = account.dependencies
    self.account = account
  }

  struct Page: Sendable {
    var exchange: any SignInFlow
    var prompt: SignInPrompt
    /// The exchange of the page before this one. It lets the user reload that page.
    var first: (any SignInFlow)?
    /// The code of an error that does not say which sign-in it is for.
    var statelessError: String?
    /// How many requests wait for the end.
    var waiting: Int
    /// Whether the sign-in stays open without them. A request has its answer already.
    var isForBackground: Bool
  }

  nonisolated var prompt: SignInPrompt { currentPage.withLock { $0.prompt } }
  nonisolated var exchange: any SignInFlow { currentPage.withLock { $0.exchange } }
  nonisolated var hasSecondPage: Bool { currentPage.withLock { $0.first != nil } }

  /// Whether a page waits for the user.
  var isOpen: Bool { if case .waiting = state { true } else { false } }

  /// nil after the end.
  var wait: Wait? {
    get {
      switch state {
      case .waiting(let wait): wait
      case .exchanging(let exchange): exchange.wait
      case .ended: nil
      }
    }
    set {
      guard let newValue else { return }
      if case .waiting = state { state = .waiting(newValue) }
      guard case .exchanging(var exchange) = state else { return }
      exchange.wait = newValue
      state = .exchanging(exchange)
    }
  }

  /// Returns when the end of an ended sign-in is reported.
  func waitForEnd() async { if case .ended(_, let ending) = state { await ending.value } }

  /// Ends an open sign-in and returns when its end is reported. A code that is being exchanged is left alone.
  func abandon(_ reason: String, _ failure: any Error) async {
    guard isOpen else { return }
    // A process that is ending sends no more answers.
    if failure is CancellationError {
      listener?.close()
      leaveRegisteredPorts(isEnding: true)
    }
    end(withoutGrant: failure, reason)
    await waitForEnd()
  }

  /// Makes way for another page: ends an open sign-in, and waits for a code exchange that is running.
  func endForAnother() async {
    await abandon("cancelled", replaced)
    await finishExchange()
    await waitForEnd()
  }

  /// Returns when no code is being exchanged. The grant of a used code is stored by then.
  func finishExchange() async {
    guard case .exchanging(let exchange) = state else { return }
    _ = try? await exchange.shown.value()
    await waitForEnd()
  }

  /// Ends the sign-in without the page's grant. The grant of an earlier page stays valid.
  func end(withoutGrant failure: any Error, _ reason: String, undoing saved: Account.SavedGrant? = nil) {
    let named = (failure as? OAuthFailure)?.of(plan.account) ?? failure
    let result: Result<Grant, any Error> = wait?.firstGrant.map { .success($0) } ?? .failure(named)
    end(result, abandoned: .signInAbandoned(id: prompt.id, reason: reason), undoing: saved)
  }

  /// Lets the page reach the browser, then reports the end. The listener answers for a while longer.
  /// `abandoned` is the event of a sign-in that the page did not end. It is also the event of the failure.
  func end(
    _ result: Result<Grant, any Error>, via: Authorization.Source = .signedIn, abandoned: AccountEvent.Kind? = nil,
    undoing saved: Account.SavedGrant? = nil
  ) {
    let outcome = page(of: result)
    let (listener, ports) = (listener, registeredPorts)
    listener?.keepAnswering()
    leaveRegisteredPorts(isEnding: false)
    wait?.deadline?.cancel()
    wait?.tasks.forEach { $0.cancel() }
    // Another process goes on after the end of this one.
    let isOver = if case .failure(is CancellationError) = result { false } else { true }
    let ending = Task { [self] in
      if isOver { await account.changeSignInRecord { $0.take(result, at: dependencies.clock.now) } }
      if let saved { await undo(saved) }
      await account.accounts.signIns.didEnd(self)
      await listener?.settle()
      for port in ports { await port.settle() }
      if let abandoned { dependencies.emit(event(abandoned)) }
      settle(result, via, isReported: abandoned != nil)
    }
    let former = state
    state = .ended(outcome, ending)
    if case .exchanging(let exchange) = former { exchange.shown.settle(.success(outcome)) }
    keepingListener = Task { [weak self] in
      await listener?.end()
      await self?.forgetListener()
    }
  }

  private func forgetListener() { listener = nil }

  private func settle(_ result: Result<Grant, any Error>, _ via: Authorization.Source, isReported: Bool) {
    switch result {
    case .success(let grant):
      var authorization = Authorization(grant, via: via, asked: plan.scopes, now: dependencies.clock.now)
      authorization.subjectChanged = plan.stored?.isOfAnotherUser(than: grant) ?? false
      dependencies.emit(event(.authorized(authorization)))
      self.authorization.settle(.success(authorization))
    case .failure(let failure as OAuthFailure):
      if !isReported { dependencies.emit(event(.failed(failure))) }
      // What stopped the sign-in may be the cancellation itself.
      authorization.settle(.failure(OAuthFailure.Reported(failure, isFinal: !isReported)))
    case .failure(let error): authorization.settle(.failure(error))
    }
  }

  func event(_ kind: AccountEvent.Kind) -> AccountEvent {
    AccountEvent(account: plan.account, requestID: plan.request.requestID, kind: kind)
  }
}
