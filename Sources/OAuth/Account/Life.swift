import OAuthCore
import Platform
import Store

/// What exists of an account in this process alone: four states that are independent of each other, and the turn to change the account.
///
/// These rules hold for all code that changes an account:
///
/// The disk decides what the grant is. Other processes change it at any time, so a stored grant is never copied here, and code that has waited
/// reads it again. Only `Account.change` writes. It takes this process's turn, then the store's lock, and reads the grant under that lock.
///
/// An actor is no lock. While `refresh` waits for its response, `signOut` enters and ends the account. Each function that has waited therefore
/// looks at these states again before it acts on what it knew.
///
/// A sent refresh is never aborted. The provider may have rotated the refresh token already, and only the response has the new one. A caller
/// that gives up leaves the refresh running, a sign-out drops its tokens, and the process's end waits for it.
///
/// Three things survive a caller that gives up, and only they are here: tokens that the disk did not take, a sent refresh, and an open page.
/// The account's lock stays taken for the first two. After the process's end, a grant, an open sign-in and a counted page are files.
struct Life: Sendable {
  enum Tokens {
    case onDisk
    /// The disk did not take them.
    indirect case onlyHere(UnsavedGrant)
  }

  /// The refresh, or the request for the client's own token, that callers share.
  enum Refresh {
    case none
    indirect case waiting(Account.RefreshReason, Promise<Account.Outcome>)
    /// Its request may have been sent, since these milliseconds of uptime. It has the account's lock.
    indirect case sent(Account.RefreshReason, Promise<Account.Outcome>, since: Int)

    var running: (reason: Account.RefreshReason, promise: Promise<Account.Outcome>)? {
      switch self {
      case .none: nil
      case .waiting(let reason, let promise), .sent(let reason, let promise, _): (reason, promise)
      }
    }
  }

  enum Page {
    case none
    /// It is being prepared, which may need a request to the provider.
    case opening(Promise<Void>)
    case open(SignIn)
  }

  enum Removal {
    case none
    /// The user has signed out while a refresh of this process was sent. Its tokens are dropped.
    case done
    /// The user has signed out while another process had the lock. What that process stores of the old login is removed again.
    case sweeping(Task<Void, Never>)
  }

  var tokens = Tokens.onDisk
  var refresh = Refresh.none
  var page = Page.none
  var removal = Removal.none
  /// Settled when the change ends that has the account's turn.
  private(set) var turn: Promise<Void>?
  /// Whether a task tries to write the tokens again.
  private(set) var isWriting = false
  /// When a valid token was last renewed ahead of its expiry, in Unix seconds.
  private var renewedEarlyAt: Int?
  /// The running request of `afterSignIn`.
  var lookUp: (version: Grant.Version, promise: Promise<Grant?>)?
  /// The grant whose request of `afterSignIn` failed last, and when.
  private var failedLookUp: (version: Grant.Version, time: Int)?

  /// Refused requests for other tokens, of which login, and when.
  private var refusals: [TokenTerms: (failure: OAuthFailure, login: String?, time: Int)] = [:]

  /// Seconds between two renewals ahead of expiry. A provider that does not renew a token is not asked at every call, and days are left to try.
  private static let earlyPause = 300
  /// Seconds without another look-up after a failed one. A service that does not answer must not delay every call.
  private static let lookUpPause = 60
  /// Seconds for which a refused request for another token is not sent again.
  private static let refusalPause = 60

  // MARK: Tokens

  /// The disk has this grant now. A later sign-in, which had no turn, stays in memory.
  mutating func wasStored(_ grant: Grant) {
    if let unsaved, unsaved.grant.generation > grant.generation { return }
    tokens = .onDisk
  }

  var unsaved: UnsavedGrant? { if case .onlyHere(let unsaved) = tokens { unsaved } else { nil } }

  /// Retains the lock with a rotated refresh token that only memory has. Another process would send the old one from the disk, and many providers
  /// then end the login (RFC 9700, 4.14.2). Returns whether a task has to write the token again.
  mutating func retain(_ lock: GrantLock, isClosed: Bool) -> Bool {
    guard case .onlyHere(var unsaved) = tokens else { return false }
    unsaved.lock = unsaved.hasRotated && lock.endsWithProcess ? lock : nil
    tokens = .onlyHere(unsaved)
    guard unsaved.hasRotated, !isWriting, !isClosed else { return false }
    isWriting = true
    return true
  }

  /// Whether the task that writes the tokens again has to go on.
  mutating func writesAgain() -> Bool {
    isWriting = unsaved?.hasRotated == true
    return isWriting
  }

  // MARK: The turn

  /// Takes the turn. Returns what the caller has to wait for if another task has it.
  mutating func takeTurn(_ own: Promise<Void>) -> Promise<Void>? {
    guard turn == nil else { return turn }
    turn = own
    return nil
  }

  mutating func endTurn() {
    turn = nil
    if case .done = removal { removal = .none }
    if case .sent(let reason, let promise, _) = refresh { refresh = .waiting(reason, promise) }
  }

  // MARK: Refreshing

  /// Joins the running refresh. Without one, begins `own` and returns nil.
  mutating func join(
    _ reason: Account.RefreshReason, _ own: Promise<Account.Outcome>
  ) -> (reason: Account.RefreshReason, promise: Promise<Account.Outcome>)? {
    if let running = refresh.running { return running }
    var reason = reason
    // Its secret would stay in memory.
    (reason.client, reason.plan) = (nil, nil)
    refresh = .waiting(reason, own)
    return nil
  }

  mutating func send(at uptime: Int) { if let (reason, promise) = refresh.running { refresh = .sent(reason, promise, since: uptime) } }

  /// Whether a token may be renewed ahead of expiry now. A caller that gets true has to renew it.
  mutating func mayRenewEarly(at now: Int) -> Bool {
    guard !Self.isPaused(renewedEarlyAt, Self.earlyPause, now) else { return false }
    renewedEarlyAt = now
    return true
  }

  /// Forgets those whose time is over, because a client may ask for anything.
  mutating func remember(_ failure: OAuthFailure, of terms: TokenTerms, for login: String?, at now: Int) {
    refusals = refusals.filter { Self.isPaused($0.value.time, Self.refusalPause, now) }
    refusals[terms] = (failure, login, now)
  }

  /// A new sign-in may have brought what was missing, so the refusals of an earlier login count no more.
  func refusal(of terms: TokenTerms, for login: String?, at now: Int) -> OAuthFailure? {
    refusals[terms].flatMap { $0.login == login && Self.isPaused($0.time, Self.refusalPause, now) ? $0.failure : nil }
  }

  // MARK: Signing in and out

  var signIn: SignIn? { if case .open(let signIn) = page { signIn } else { nil } }

  /// Returns the page that the caller has to do with. With `none`, the caller prepares one, and settles `own` at its end.
  mutating func openPage(_ own: Promise<Void>) -> Page {
    guard case .none = page else { return page }
    page = .opening(own)
    return .none
  }

  /// Forgets the tokens of memory. Returns whether a sent refresh will find the mark, so that the user need not wait for it.
  mutating func signOut() -> Bool {
    tokens = .onDisk
    guard case .sent = refresh else { return false }
    endSweep()
    removal = .done
    return true
  }

  var isRemoved: Bool { if case .done = removal { true } else { false } }

  /// Ends the second removal of a forgotten login, because the account has a new one.
  mutating func endSweep() {
    guard case .sweeping(let task) = removal else { return }
    task.cancel()
    removal = .none
  }

  mutating func wasRemoved() { (renewedEarlyAt, failedLookUp, refusals) = (nil, nil, [:]) }

  // MARK: Looking up

  mutating func endLookUp(_ version: Grant.Version, failed: Bool, at now: Int) {
    if let lookUp, lookUp.version != version { return }
    lookUp = nil
    failedLookUp = failed ? (version, now) : nil
  }

  func hasFailedLookUp(_ version: Grant.Version, at now: Int) -> Bool {
    failedLookUp.map { $0.version == version && Self.isPaused($0.time, Self.lookUpPause, now) } ?? false
  }

  /// A clock that was set back must not prolong the pause.
  private static func isPaused(_ time: Int?, _ pause: Int, _ now: Int) -> Bool { time.map { ($0..<$0 + pause).contains(now) } ?? false }

  // MARK: Ending

  /// Whether no work is running or still to be written. The process can then end.
  var hasNoWork: Bool { if case .onDisk = tokens, case .none = refresh, case .none = removal { true } else { false } }

  /// Whether the entry says nothing that a new one would not.
  func isIdle(at now: Int) -> Bool {
    guard case .none = page else { return false }
    return hasNoWork && turn == nil && !isWriting && lookUp == nil && !Self.isPaused(renewedEarlyAt, Self.earlyPause, now)
      && !Self.isPaused(failedLookUp?.time, Self.lookUpPause, now)
      && !refusals.values.contains { Self.isPaused($0.time, Self.refusalPause, now) }
  }
}
