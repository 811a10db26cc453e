import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder with a store, and grants for it.
struct StoreStage {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func store(timeoutMilliseconds: Int = 60_000, clock: Clock = .fixed(1_000_000)) -> FileStore {
    FileStore(folder: folder.path, timeoutMilliseconds: timeoutMilliseconds, clock: clock)
  }

  func grant(_ account: String, token: String = "t") -> Grant {
    Grant(account: account, provider: .object([]), client: Client(id: "i"), accessToken: Secret(token), tokenType: "Bearer", issuedAt: 1)
  }

  /// Returns the failure of a read; nil if it succeeds.
  func rejection(_ store: FileStore, _ account: String = "a") -> OAuthFailure? {
    do {
      _ = try store.read(account)
      return nil
    } catch {
      return error
    }
  }
}

struct FileStoreTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }

  init() throws { stage = try StoreStage() }

  static let names = [
    "google", "google/work", "../../etc/passwd", "..", ".", "/", "a b\n\u{0}c", String(repeating: "é", count: 100), "A", "a", "%41", "key",
    ".lock",
    String(repeating: "x", count: 400), "e\u{301}", "é",
  ]

  /// Whether the store has written the grant before, or not.
  @Test(arguments: [true, false]) func aReservationHasRoomForALargeGrantAndNewTokens(isKnown: Bool) async throws {
    let store = stage.store()
    var grant = stage.grant("a")
    grant.attributes = NamedValues([("note", String(repeating: "x", count: 40_000))])
    if isKnown { try await store.write(grant) }
    let reservation = try await store.reserve(for: grant)
    let reserved = try #require(folder.names.first { $0.hasSuffix(".tmp") })
    #expect(folder.read(reserved)?.count ?? 0 > 40_000 + 16_000)
    try await reservation(grant)
    #expect(try store.read("a") == grant)
  }

  @Test func whatIsWrittenIsReadAgainByAnotherProcess() async throws {
    for name in Self.names { try await stage.store().write(stage.grant(name, token: "of \(name)")) }
    let store = stage.store()
    for name in Self.names { #expect(try store.read(name)?.accessToken == Secret("of \(name)"), "\(name)") }
    #expect(try await store.accounts() == Self.names.sorted())
    // Every file is in the folder itself, and its name is valid on every file system.
    #expect(folder.names.count { $0.hasSuffix(".grant") } == Self.names.count)
    #expect(folder.names.allSatisfy { $0.utf8.count <= 200 && $0.lowercased() == $0 || $0 == "key" })
  }

  @Test func accountsNeverShareAFileName() {
    let names = Set(Self.names.map(FileName.of))
    #expect(names.count == Self.names.count)
    #expect(names.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") && !$0.utf8.contains(0) })
  }

  @Test func filesAreTheirOwnersAlone() async throws {
    let path = "\(folder.path)/a/b"
    let store = FileStore(folder: path, clock: .fixed(1))
    try await store.write(stage.grant("x"))
    defer {
      for name in ["x.grant", "key"] { unlink("\(path)/\(name)") }
      rmdir(path)
      rmdir("\(folder.path)/a")
    }
    #expect(folder.mode("a") == 0o700)
    #expect(folder.mode("a/b") == 0o700)
    #expect(folder.mode("a/b/x.grant") == 0o600)
    #expect(folder.mode("a/b/key") == 0o600)
  }

  @Test func secretsAreEncryptedOnDisk() async throws {
    var grant = stage.grant("x", token: "s3cr3t-token")
    grant.client.stored.secret = Secret("s3cr3t-client")
    try await stage.store().write(grant)
    for name in folder.names {
      let text = String(decoding: try #require(folder.read(name)), as: UTF8.self)
      #expect(!text.contains("s3cr3t"))
    }
    #expect(!folder.names.contains { $0.hasSuffix(".tmp") })
  }

  @Test func aNewerFileIsSeenAtOnceAndARemovedOneIsGone() async throws {
    let (one, other) = (stage.store(), stage.store())
    try await one.write(stage.grant("a", token: "1"))
    #expect(try other.read("a")?.accessToken == Secret("1"))
    try await one.write(stage.grant("a", token: "22"))
    #expect(try other.read("a")?.accessToken == Secret("22"))
    try await one.remove("a")
    #expect(try other.read("a") == nil)
    #expect(try await other.accounts() == [])
    try await one.remove("a")
  }

  @Test func manyBeginTheSameFolder() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 { group.addTask { try await stage.store().write(stage.grant("a\(number)", token: "t\(number)")) } }
      try await group.waitForAll()
    }
    let store = stage.store()
    for number in 0..<16 { #expect(try store.read("a\(number)")?.accessToken == Secret("t\(number)")) }
  }

  @Test func aLockKeepsOthersAwayUntilItIsLetGo() async throws {
    let store = stage.store(timeoutMilliseconds: 30)
    var lock: GrantLock? = try await store.lock("a")
    #expect(await failureOf { try await stage.store(timeoutMilliseconds: 30).lock("a") }?.kind == .storageFailure)
    _ = try await store.lock("b")
    withExtendedLifetime(lock) {}
    lock = nil
    _ = try await stage.store(timeoutMilliseconds: 30).lock("a")
  }

  @Test func waitingForALockEndsWithItsTask() async throws {
    let lock = try await stage.store().lock("a")
    let clock = ManualClock()
    let waiting = Task { try await stage.store(clock: clock.clock).lock("a") }
    try await clock.pauses(atLeast: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    withExtendedLifetime(lock) {}
  }

  /// Otherwise two processes could both hold a lock: on the deleted file and on its successor.
  @Test(arguments: ["deleted", "exchanged"])
  func aLockFileThatIsGoneLocksNothing(way: String) async throws {
    let path = "\(folder.path)/a.grant.lock"
    let clock = ManualClock()
    let store = stage.store(clock: clock.clock)
    let first = try await store.lock("a")
    let waiting = Task { try await store.lock("a") }
    try await clock.pauses(atLeast: 1)
    unlink(path)
    if way == "exchanged" { _ = folder.write("a.grant.lock", []) }
    clock.advance(milliseconds: 5)
    let second = try await waiting.value
    var locked = stat()
    #expect(stat(path, &locked) == 0)
    // The lock is on the file that has the name now.
    let descriptor = open(path, O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0)
    close(descriptor)
    withExtendedLifetime((first, second)) {}
  }

  @Test func aLockThatIsHeldTooLongIsReportedWithItsHolder() async throws {
    let lock = try await stage.store().lock("a")
    let failure = await failureOf { try await stage.store(timeoutMilliseconds: 30).lock("a") }
    #expect(failure?["pid"] == .integer(Int(getpid())) && failure?["since"] == .integer(1_000_000) && failure?.isRetryable == true)
    #expect(failure?.message.contains("the process \(getpid()), since 1970-01-12 13:46:40 UTC,") == true)
    withExtendedLifetime(lock) {}
  }

  @Test func aHolderThatDidNotSayWhoItIsHasNoName() async throws {
    let path = folder.write("a.grant.lock", Array("2147483646 5\n".utf8))
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let failure = await failureOf { try await stage.store(timeoutMilliseconds: 30).lock("a") }
    #expect(failure?.message.contains("another process has held") == true && failure?["pid"] == nil)
  }

  @Test func aLockFollowsNoLink() async throws {
    symlink("\(folder.path)/elsewhere", "\(folder.path)/a.grant.lock")
    #expect(await failureOf { try await stage.store().lock("a") }?.kind == .storageFailure)
    #expect(!folder.names.contains("elsewhere"))
  }
}
