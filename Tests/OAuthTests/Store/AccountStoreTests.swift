import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// What every store of accounts promises: storing, locking, noticing changes and remembering uses. Each test runs with each kind of store.
struct AccountStoreTests {
  enum Kind: CaseIterable, Sendable {
    case file, memory, postgresql

    /// The database needs a server, whose URI `Tests/run.sh` gives to the tests.
    static let database = getenv("OAUTH_STDIO_TEST_DATABASE").map { String(cString: $0) }
    static var allCases: [Kind] { [.file, .memory] + (database == nil ? [] : [.postgresql]) }
  }

  private let stage: StoreStage

  init() throws { stage = try StoreStage() }

  /// Counts the holders of a lock.
  private final class Holders: Sendable {
    private let count = Mutex((now: 0, most: 0))
    var most: Int { count.withLock { $0.most } }

    func add(_ number: Int) {
      count.withLock { count in
        count.now += number
        count.most = max(count.most, count.now)
      }
    }
  }

  private func store(_ kind: Kind) throws -> any AccountStore {
    switch kind {
    case .file: return stage.store()
    case .memory: return MemoryStore()
    case .postgresql:
      let uri = try #require(Kind.database)
      let schema = "test_\(UInt64.random(in: .min ... .max))"
      try PostgresConnection(uri, seconds: 5).query("CREATE SCHEMA \(schema)", [], milliseconds: 10_000)
      return try PostgresStore(
        uri: "\(uri)?options=-csearch_path%3D\(schema)", local: stage.store(), clock: .system)
    }
  }

  // MARK: Storing

  @Test(arguments: Kind.allCases) func whatIsWrittenIsReadAndListed(kind: Kind) async throws {
    let store = try store(kind)
    try await store.makeReady()
    #expect(try store.find("a") == nil && store.read("a") == nil)
    #expect(try await store.list().isEmpty)
    for name in FileStoreTests.names { try await store.write(stage.grant(name, token: "of \(name)")) }
    for name in FileStoreTests.names { #expect(try store.read(name) == stage.grant(name, token: "of \(name)"), "\(name)") }
    #expect(try await store.accounts() == FileStoreTests.names.sorted())
  }

  @Test(arguments: Kind.allCases) func aWriteReplacesTheGrantAndItsSummary(kind: Kind) async throws {
    let store = try store(kind)
    var grant = stage.grant("a", token: "1")
    try await store.write(grant)
    #expect(try store.find("a")?.grant.email == nil)
    (grant.accessToken, grant.email) = (Secret("2"), "a@example.org")
    try await store.write(grant)
    #expect(try store.read("a")?.accessToken == Secret("2") && store.find("a")?.grant.email == "a@example.org")
    #expect(try await store.list().map(\.stored?.grant.email) == ["a@example.org"])
  }

  /// Swift's strings are equal if they are canonically equivalent. Account names are compared by their bytes.
  @Test(arguments: Kind.allCases) func namesWithOtherBytesAreOtherAccounts(kind: Kind) async throws {
    let store = try store(kind)
    try await store.write(stage.grant("e\u{301}"))
    #expect(try store.find("e\u{301}")?.grant.account.utf8.count == 3)
    #expect(try store.find("\u{E9}") == nil)
    try await store.remove("\u{E9}")
    #expect(try await store.accounts().map(\.utf8.count) == [3])
  }

  @Test(arguments: Kind.allCases) func aRemovedGrantIsGone(kind: Kind) async throws {
    let store = try store(kind)
    try await store.write(stage.grant("a"))
    try await store.write(stage.grant("b"))
    try await store.remove("a")
    #expect(try store.find("a") == nil)
    #expect(try await store.accounts() == ["b"])
    // A client may forget an account twice.
    try await store.remove("a")
  }

  @Test(arguments: Kind.allCases) func aReservationWritesTheGrantThatItGets(kind: Kind) async throws {
    let store = try store(kind)
    try await store.write(stage.grant("a", token: "1"))
    let lock = try await store.lockForRefresh("a")
    let write = try await store.reserve(for: stage.grant("a", token: "1"))
    #expect(try store.read("a")?.accessToken == Secret("1"))
    try await write(stage.grant("a", token: "2"))
    #expect(try store.read("a")?.accessToken == Secret("2"))
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: Kind.allCases) func aReservationThatIsNotUsedChangesNothing(kind: Kind) async throws {
    let store = try store(kind)
    let lock = try await store.lockForRefresh("a")
    _ = try await store.reserve(for: stage.grant("a"))
    #expect(try store.find("a") == nil)
    #expect(try await store.list().isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: Kind.allCases) func severalAccountsAreWrittenAtOnce(kind: Kind) async throws {
    let store = try store(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 { group.addTask { try await store.write(stage.grant("a\(number)", token: "t\(number)")) } }
      try await group.waitForAll()
    }
    for number in 0..<16 { #expect(try store.read("a\(number)")?.accessToken == Secret("t\(number)")) }
  }

  // MARK: Locking

  @Test(arguments: Kind.allCases) func aLockIsHeldByOneAtATime(kind: Kind) async throws {
    let store = try store(kind)
    let holders = Holders()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let lock = try await store.lock("a")
          holders.add(1)
          // Another account's lock is free meanwhile, and reading needs none.
          _ = try await store.lock("b\(UInt64.random(in: .min ... .max))")
          #expect(try store.find("a") == nil)
          holders.add(-1)
          withExtendedLifetime(lock) {}
        }
      }
      try await group.waitForAll()
    }
    #expect(holders.most == 1)
  }

  @Test(arguments: Kind.allCases) func waitingForALockEndsWithItsTask(kind: Kind) async throws {
    let store = try store(kind)
    let lock = try await store.lock("a")
    let waiting = Task { try await store.lock("a") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    withExtendedLifetime(lock) {}
  }

  // MARK: Noticing changes

  @Test(arguments: Kind.allCases) func everyChangeIsNoticed(kind: Kind) async throws {
    let store = try store(kind)
    let log = NoticeLog()
    try store.watch(log.add)
    for name in FileStoreTests.names {
      try await store.write(stage.grant(name))
      #expect(await soon { log.take(name) }, "\(name)")
    }
    try await store.write(stage.grant("a", token: "u"))
    #expect(await soon { log.take("a") })
    try await store.remove("a")
    #expect(await soon { log.take("a") })
  }

  /// The accounts whose changes were noticed.
  private final class NoticeLog: Sendable {
    private let noticed = Mutex<[String?]>([])

    func add(_ account: String?) { noticed.withLock { $0.append(account) } }

    /// Removes the account's notice, or one that concerns all accounts. Returns whether there was one.
    func take(_ account: String) -> Bool {
      noticed.withLock { noticed in
        guard let index = noticed.firstIndex(where: { $0 == nil || $0.map(AccountKey.init) == AccountKey(account) }) else { return false }
        noticed.remove(at: index)
        return true
      }
    }
  }

  // MARK: Remembering uses

  @Test(arguments: Kind.allCases) func theLastUseIsRememberedUntilTheGrantIsRemoved(kind: Kind) async throws {
    let store = try store(kind)
    for name in ["a", "b"] { try await store.write(stage.grant(name)) }
    #expect(store.lastUse(of: "a") == nil)
    store.wasUsed("a")
    store.wasUsed("a")
    let time = try #require(store.lastUse(of: "a"))
    #expect(store.lastUse(of: "b") == nil)
    #expect(try await store.list().sorted { $0.account < $1.account }.map(\.usedAt) == [time, nil])
    try await store.remove("a")
    #expect(store.lastUse(of: "a") == nil)
    #expect(try await store.list().map(\.account) == ["b"])
  }
}

/// The store of a process without a home directory.
struct RejectingStoreTests {
  @Test func nothingIsStoredAndTheErrorNamesWhatIsMissing() async throws {
    let store = MemoryStore(rejecting: MemoryStore.homeless)
    let grant = Grant(
      account: "a", provider: .object([]), client: Client(id: "i"), accessToken: Secret("t"), tokenType: "Bearer", issuedAt: 1)
    #expect(throws: OAuthFailure.self) { try store.makeReady() }
    #expect(throws: OAuthFailure.self) { try store.write(grant) }
    let failure = try #require(await failureOf { try await store.lock("a") })
    #expect(failure.account == "a" && failure.kind == .storageFailure && failure.message.contains("set HOME"))
    #expect(store.find("a") == nil && store.list().isEmpty)
  }
}
