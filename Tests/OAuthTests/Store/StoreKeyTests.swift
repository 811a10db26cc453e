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

/// A missing, wrong or new key damages no grant, and no grant is written that another process could not read.
struct StoreKeyTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }

  init() throws { stage = try StoreStage() }

  @Test func aWrongKeyIsNoticedAndHarmsNoGrant() async throws {
    try await stage.store().write(stage.grant("a"))
    let key = try #require(folder.read("key"))
    _ = folder.write("key", [UInt8](repeating: 9, count: 32))
    let failure = try #require(stage.rejection(stage.store()))
    #expect(failure.kind == .storageFailure && failure["setAside"] == nil)
    _ = folder.write("key", key)
    #expect(try stage.store().read("a") != nil)
  }

  @Test func aRecreatedFolderIsReadWithItsNewKey() async throws {
    let old = stage.store()
    try await old.write(stage.grant("a"))
    for name in folder.names { unlink("\(folder.path)/\(name)") }
    try await stage.store().write(stage.grant("a", token: "new"))
    #expect(try old.read("a")?.accessToken == Secret("new"))
  }

  /// The file's stamp is the same: a network file system may tell the old one for a minute after another machine has exchanged the file.
  @Test func aGrantIsSealedWithTheKeyThatTheFileHasNow() async throws {
    let store = stage.store()
    try await store.write(stage.grant("a"))
    await store.prepare()
    let path = "\(folder.path)/key"
    var status = stat()
    #expect(stat(path, &status) == 0)
    _ = folder.write("key", [UInt8](repeating: 9, count: 32))
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    try await store.write(stage.grant("b"))
    #expect(try stage.store().read("b") != nil)
  }

  /// Locking memory takes longer than reading the file.
  @Test func aKeyThatIsLoadedIsKept() async throws {
    let store = stage.store()
    try await store.write(stage.grant("a"))
    let key = try #require(try store.key.keyForWriting())
    #expect(try store.key.keyForWriting()?.bytes === key.bytes)
  }

  @Test func withoutItsKeyNothingIsTouchedAndNoNewKeyIsMade() async throws {
    try await stage.store().write(stage.grant("a"))
    unlink("\(folder.path)/key")
    let before = folder.names
    let store = stage.store()
    #expect(stage.rejection(store)?["path"] == .string("\(folder.path)/key"))
    #expect(stage.rejection(store)?["setAside"] == nil)
    #expect(await failureOf { try await store.write(stage.grant("b")) }?.kind == .storageFailure)
    #expect(folder.names == before)
    #expect(try await store.accounts() == ["a"])
  }

  @Test(arguments: [0, 31, 33])
  func aKeyOfAnotherLengthIsInvalid(count: Int) async throws {
    try await stage.store().write(stage.grant("a"))
    _ = folder.write("key", [UInt8](repeating: 1, count: count))
    #expect(stage.rejection(stage.store())?["setAside"] == nil)
    #expect(await failureOf { try await stage.store().write(stage.grant("a")) }?.kind == .storageFailure)
    #expect(folder.read("key")?.count == count)
  }

  @Test func aGrantIsKnownAtOnceIfItsKeyIsInTheFolder() async throws {
    try await stage.store().write(stage.grant("a"))
    #expect(stage.store().readAtOnce("a")??.grant.accessToken == Secret("t"))
    guard case .some(.none) = stage.store().readAtOnce("b") else { throw Missing() }
  }

  /// The task that follows waits for the program, and moves a damaged file aside.
  @Test func aGrantThatNeedsMoreIsLeftToATask() async throws {
    try await stage.store().write(stage.grant("a"))
    let key = try #require(folder.read("key"))
    unlink("\(folder.path)/key")
    try KeyFile.reference(.command("print the key"), identifier: "0123456789abcdef").write(to: "\(folder.path)/key")
    #expect(stage.store().readAtOnce("a") == nil)
    _ = folder.write("key", key)
    _ = folder.write("a.grant", [1, 2, 3])
    #expect(stage.store().readAtOnce("a") == nil)
    #expect(folder.names.filter { $0.hasPrefix("a.grant") } == ["a.grant"])
  }

  private struct Missing: Error {}
}
