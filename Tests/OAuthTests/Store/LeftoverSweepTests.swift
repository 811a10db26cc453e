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

/// Files that a killed process left in the store's folder.
struct LeftoverSweepTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }

  init() throws { stage = try StoreStage() }

  /// Writes a file that is `age` seconds old by the store's clock, which is fixed at 1,000,000.
  private func leave(_ name: String, age: Int) {
    let path = folder.write(name, [1])
    let time = timeval(tv_sec: 1_000_000 - age, tv_usec: 0)
    utimes(path, [time, time])
  }

  @Test func oldOnesGoAndEverythingElseStays() async throws {
    let old = ["a.grant.12.AAAAAAAA.tmp", "google%2fwork.grant.7.-_a0Zz9b.tmp", "key.12.AAAAAAAA.tmp"]
    let young = ["b.grant.12.AAAAAAAA.tmp"]
    let foreign = [
      "a.tmp", "a.grant.tmp", "a.grant.AAAAAAAA.tmp", "a.grant.12.AAAAAAA.tmp", "a.grant.x.AAAAAAAA.tmp", "a.grant.-1.AAAAAAAA.tmp",
      "a.grant.12.AAAAAA+A.tmp", "notes.12.AAAAAAAA.tmp", "A.grant.12.AAAAAAAA.tmp", "a.grant.12.AAAAAAAA.tmp.bak",
      ".grant.12.AAAAAAAA.tmp", "a.grant.012.AAAAAAAA.tmp",
    ]
    for name in old + foreign { leave(name, age: 3601) }
    for name in young { leave(name, age: 3599) }
    symlink("nowhere", "\(folder.path)/c.grant.12.AAAAAAAA.tmp")
    try await stage.store().write(stage.grant("a"))
    #expect(Set(folder.names) == Set(young + foreign + ["a.grant", "key", "c.grant.12.AAAAAAAA.tmp"]))
  }

  /// The process that holds an account's lock may be paused while it writes the account.
  @Test func anotherAccountsStayWhileItsLockIsHeld() async throws {
    let other = stage.store()
    var lock: GrantLock? = try await other.lock("b")
    leave("b.grant.12.AAAAAAAA.tmp", age: 7200)
    try await stage.store().write(stage.grant("a"))
    #expect(folder.names.contains("b.grant.12.AAAAAAAA.tmp"))
    withExtendedLifetime(lock) {}
    lock = nil
    try await stage.store().write(stage.grant("a"))
    #expect(!folder.names.contains("b.grant.12.AAAAAAAA.tmp"))
  }

  /// The lock of an account that signs in again is that of the new file, for every process.
  @Test func filesOfAnAccountThatIsLongSignedOutGo() async throws {
    let month = 30 * 86_400
    try await stage.store().write(stage.grant("d"))
    let (old, others) = (["b.grant.lock", "b.grant.pages", "b.grant.used"], ["c.grant.lock", "d.grant.lock", "d.grant", "key"])
    for name in old + ["d.grant.lock"] { leave(name, age: month + 1) }
    leave("c.grant.lock", age: month - 1)
    var lock: GrantLock? = try await stage.store().lock("b")
    leave("b.grant.lock", age: month + 1)
    try await stage.store().write(stage.grant("a"))
    #expect(Set(folder.names) == Set(others + ["b.grant.lock", "a.grant"]))
    withExtendedLifetime(lock) {}
    lock = nil
    leave("b.grant.lock", age: month + 1)
    try await stage.store().write(stage.grant("a"))
    #expect(Set(folder.names) == Set(others + ["a.grant"]))
  }

  @Test func itsOwnNamesAreKnown() {
    for account in FileStoreTests.names {
      let file = FileName.of(account)
      for name in [FileName.temporary(for: file), "\(file).1.-_-_-_-_.tmp"] {
        #expect(FileName.target(ofTemporary: name) == file, "\(name)")
      }
    }
  }
}
