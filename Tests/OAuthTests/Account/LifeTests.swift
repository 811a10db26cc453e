import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Each state of an account in this process, and each pair of them that meets. Without one of the transitions a row fails.
struct LifeTests {
  private static let clock = Clock.fixed(1_000_000)

  /// What is asked of a life after the steps.
  private enum Answer: Hashable { case onDisk, onlyHere, locked, refreshing, sent, removed, sweeping, writing, idle, turn, page }

  private static func answers(_ life: Life) -> Set<Answer> {
    var found: Set<Answer> = life.unsaved == nil ? [.onDisk] : [.onlyHere]
    if life.unsaved?.lock != nil { found.insert(.locked) }
    if life.refresh.running != nil { found.insert(.refreshing) }
    if case .sent = life.refresh { found.insert(.sent) }
    if life.isRemoved { found.insert(.removed) }
    if case .sweeping = life.removal { found.insert(.sweeping) }
    if life.isWriting { found.insert(.writing) }
    if life.turn != nil { found.insert(.turn) }
    if case .opening = life.page { found.insert(.page) }
    if life.isIdle(at: clock.now) { found.insert(.idle) }
    return found
  }

  private static func grant(_ token: String, _ login: String = "l", generation: Int = 1) -> Grant {
    var grant = Grant(account: "a", provider: .object([]), client: Client(id: "c"), accessToken: Secret("t"), tokenType: nil, issuedAt: 1)
    (grant.refreshToken, grant.login, grant.generation) = (Secret(token), login, generation)
    return grant
  }

  typealias Step = @Sendable (inout Life) -> Void

  private static let fileLock = GrantLock(endsWithProcess: true) {}
  private static let lease = GrantLock {}
  private static let takeTurn: Step = { _ = $0.takeTurn(Promise()) }
  private static let endTurn: Step = { $0.endTurn() }
  private static let join: Step = { _ = $0.join(.init(), Promise()) }
  private static let send: Step = { $0.send(at: 5) }
  private static let end: Step = { $0.refresh = .none }
  private static let hold: Step = { $0.tokens = .onlyHere(UnsavedGrant(grant: grant("new", generation: 2), replaced: grant("old"))) }
  private static let holdSignIn: Step = { $0.tokens = .onlyHere(UnsavedGrant(grant: grant("new", "m"), replaced: grant("old"))) }
  private static let store: Step = { $0.tokens = .onDisk }
  private static let retainLock: Step = { _ = $0.retain(fileLock, isClosed: false) }
  private static let retainAtEnd: Step = { _ = $0.retain(fileLock, isClosed: true) }
  private static let retainLease: Step = { _ = $0.retain(lease, isClosed: false) }
  private static let signOut: Step = { _ = $0.signOut() }
  private static let sweep: Step = { $0.removal = .sweeping(Task {}) }
  private static let endSweep: Step = { $0.endSweep() }
  private static let goOn: Step = { _ = $0.writesAgain() }
  private static let renew: Step = { _ = $0.mayRenewEarly(at: clock.now) }
  private static let failLookUp: Step = { $0.endLookUp(grant("x").version, failed: true, at: clock.now) }
  private static let openPage: Step = { _ = $0.openPage(Promise()) }
  private static let endPage: Step = { $0.page = .none }
  private static let forget: Step = { $0.wasRemoved() }

  private static let table: [(name: String, steps: [Step], answers: Set<Answer>)] = [
    ("nothing", [], [.onDisk, .idle]),
    // Each state alone.
    ("a turn", [takeTurn], [.onDisk, .turn]),
    ("a turn's end", [takeTurn, endTurn], [.onDisk, .idle]),
    ("a refresh waits", [join], [.onDisk, .refreshing]),
    ("it is sent", [join, takeTurn, send], [.onDisk, .refreshing, .sent, .turn]),
    ("it has its answer", [join, takeTurn, send, endTurn], [.onDisk, .refreshing]),
    ("it ends", [join, takeTurn, send, endTurn, end], [.onDisk, .idle]),
    ("none is sent without a refresh", [send], [.onDisk, .idle]),
    ("the disk takes nothing", [hold], [.onlyHere]),
    ("the disk takes it later", [hold, store], [.onDisk, .idle]),
    ("a sign-out", [signOut], [.onDisk, .idle]),
    ("a sign-out elsewhere has the lock", [sweep], [.onDisk, .sweeping]),
    ("a sign-in ends the sweep", [sweep, endSweep], [.onDisk, .idle]),
    ("an early renewal", [renew], [.onDisk]),
    ("a failed look-up", [failLookUp], [.onDisk]),
    ("a removal forgets the pauses", [renew, failLookUp, forget], [.onDisk, .idle]),
    ("a page", [openPage], [.onDisk, .page]),
    ("a page's end", [openPage, endPage], [.onDisk, .idle]),
    // Page × sent refresh, and what a sign-out leaves of it.
    ("a page during a sent refresh", [join, takeTurn, send, openPage], [.onDisk, .refreshing, .sent, .turn, .page]),
    ("the refresh ends first", [join, takeTurn, send, openPage, endTurn, end], [.onDisk, .page]),
    ("the page ends first", [join, takeTurn, send, openPage, endPage], [.onDisk, .refreshing, .sent, .turn]),
    ("a page with an unsaved token", [hold, retainLock, openPage, endPage], [.onlyHere, .locked, .writing]),
    ("a sign-out leaves the page to its end", [openPage, signOut], [.onDisk, .page]),
    // Removal × sent refresh.
    ("a sign-out during a sent refresh", [join, takeTurn, send, signOut], [.onDisk, .refreshing, .sent, .turn, .removed]),
    ("the change's end forgets the mark", [join, takeTurn, send, signOut, endTurn], [.onDisk, .refreshing]),
    ("a sign-out during a waiting refresh", [join, takeTurn, signOut], [.onDisk, .refreshing, .turn]),
    ("a sign-out after the answer", [join, takeTurn, send, endTurn, signOut], [.onDisk, .refreshing]),
    ("a second sign-out during the refresh", [sweep, join, takeTurn, send, signOut], [.onDisk, .refreshing, .sent, .turn, .removed]),
    ("a sign-in does not end the mark", [join, takeTurn, send, signOut, endSweep], [.onDisk, .refreshing, .sent, .turn, .removed]),
    // Unsaved × everything.
    ("a rotated token keeps the lock", [takeTurn, hold, retainLock, endTurn], [.onlyHere, .locked, .writing]),
    ("a stored one does not", [takeTurn, hold, store, retainLock, endTurn], [.onDisk, .idle]),
    ("another login's token does not", [takeTurn, holdSignIn, retainLock, endTurn], [.onlyHere]),
    ("a lease is not kept", [takeTurn, hold, retainLease, endTurn], [.onlyHere, .writing]),
    ("no task begins at the process's end", [takeTurn, hold, retainAtEnd, endTurn], [.onlyHere, .locked]),
    ("the task goes on", [hold, retainLock, goOn], [.onlyHere, .locked, .writing]),
    ("the task ends", [hold, retainLock, store, goOn], [.onDisk, .idle]),
    ("it ends for another login", [hold, retainLock, holdSignIn, goOn], [.onlyHere]),
    ("a sign-out drops the token and the lock", [hold, retainLock, signOut, goOn], [.onDisk, .idle]),
    (
      "a sign-out during a refresh, too", [hold, retainLock, join, takeTurn, send, signOut, goOn],
      [.onDisk, .refreshing, .sent, .turn, .removed]
    ),
    ("a refresh borrows the lock", [hold, retainLock, join, takeTurn, send], [.onlyHere, .locked, .writing, .refreshing, .sent, .turn]),
  ]

  @Test(arguments: table.indices) func aRowOfTheTable(row: Int) {
    let (name, steps, answers) = Self.table[row]
    var life = Life()
    for step in steps { step(&life) }
    #expect(Self.answers(life) == answers, "\(name)")
  }

  @Test func oneTaskHasTheTurn() {
    var life = Life()
    let (own, other) = (Promise<Void>(), Promise<Void>())
    let first = life.takeTurn(own)
    let second = life.takeTurn(other)
    #expect(first == nil && second === own)
    life.endTurn()
    let third = life.takeTurn(other)
    #expect(third == nil && life.turn === other)
  }

  @Test func oneRequestPreparesThePage() {
    var life = Life()
    let (own, other) = (Promise<Void>(), Promise<Void>())
    let first = life.openPage(own)
    let second = life.openPage(other)
    guard case .none = first, case .opening(let promise) = second, promise === own else { return #expect(Bool(false)) }
  }

  @Test func callersShareARefresh() {
    var life = Life()
    let (own, other) = (Promise<Account.Outcome>(), Promise<Account.Outcome>())
    var reason = Account.RefreshReason(force: true)
    reason.client = Client(id: "c", secret: Secret("s"))
    let first = life.join(reason, own)
    #expect(first == nil)
    let running = life.join(.init(), other)
    #expect(running?.promise === own && running?.reason.force == true)
    // A secret does not stay in memory.
    #expect(running?.reason.client == nil)
  }

  @Test func aPauseEnds() {
    var life = Life()
    let version = Self.grant("x").version
    // A clock that was set back does not prolong it.
    let renews = [1000, 1299, 1300, 10].map { life.mayRenewEarly(at: $0) }
    #expect(renews == [true, false, true, true])
    life.endLookUp(version, failed: true, at: 1000)
    #expect(life.hasFailedLookUp(version, at: 1059) && !life.hasFailedLookUp(version, at: 1060))
    #expect(!life.hasFailedLookUp(Self.grant("y", generation: 2).version, at: 1000))
    life.endLookUp(version, failed: false, at: 1000)
    #expect(!life.hasFailedLookUp(version, at: 1000))
  }

  @Test func anIdleLifeLeavesTheTable() {
    let lives = Lives(Self.clock)
    for number in 0..<50 { lives.change(AccountKey("\(number)")) { _ = $0.signOut() } }
    #expect(lives.all.isEmpty && lives.hasNoWork)
    lives.change(AccountKey("a"), Self.hold)
    lives.change(AccountKey("b")) { _ = $0.takeTurn(Promise()) }
    #expect(lives.all.count == 2 && !lives.hasNoWork)
  }
}
