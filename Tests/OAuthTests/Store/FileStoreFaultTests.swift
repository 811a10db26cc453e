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

/// Damaged, foreign and missing files: reported by name, set aside and never overwritten, without effect on other accounts.
struct FileStoreFaultTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }

  init() throws { stage = try StoreStage() }

  private func expectSetAside(_ bytes: [UInt8], _ store: FileStore, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let failure = stage.rejection(store)
    #expect(failure?.kind == .storageFailure, sourceLocation: sourceLocation)
    #expect(failure?["path"] == .string("\(folder.path)/a.grant"), sourceLocation: sourceLocation)
    #expect(failure?.account == "a", sourceLocation: sourceLocation)
    let aside = try #require(failure?["setAside"]?.string, sourceLocation: sourceLocation)
    let name = String(aside.split(separator: "/").last ?? "")
    #expect(folder.read(name) == bytes, sourceLocation: sourceLocation)
    #expect(folder.mode(name) == 0o600, sourceLocation: sourceLocation)
    #expect(try store.read("a") == nil, sourceLocation: sourceLocation)
    unlink(aside)
  }

  /// Reported before the user is asked to sign in, because the new grant could not be stored.
  @Test(arguments: ["file", "file/below", "/proc/nope", "keyless"])
  func anUnwritableFolderIsReportedFirst(name: String) async throws {
    _ = folder.write("file", [1])
    try await stage.store().write(stage.grant("a"))
    unlink("\(folder.path)/key")
    let path = name == "keyless" ? folder.path : name.hasPrefix("/") ? name : "\(folder.path)/\(name)"
    let store = FileStore(folder: path, clock: .fixed(1), random: { [UInt8](repeating: 1, count: $0) })
    #expect(await failureOf { try await store.makeReady() }?.kind == .storageFailure)
    let server = PreparedResponses()
    let asking = Stage(server, store: store)
    #expect(await failureOf { try await asking.begin(Stage.request("new")) }?.kind == .storageFailure)
    #expect(asking.told == [])
  }

  @Test func aFolderIsMadeReadyAndStaysSo() async throws {
    let store = FileStore(folder: "\(folder.path)", clock: .fixed(1), random: { [UInt8](repeating: 1, count: $0) })
    try await store.makeReady()
    try await store.makeReady()
    #expect(folder.names == ["key"])
  }

  @Test func everyCutIsNoticed() async throws {
    let store = stage.store()
    try await store.write(stage.grant("b"))
    try await store.write(stage.grant("a"))
    let whole = try #require(folder.read("a.grant"))
    for length in 0..<whole.count {
      _ = folder.write("a.grant", Array(whole[..<length]))
      try expectSetAside(Array(whole[..<length]), store)
      await Task.yield()
    }
    #expect(try store.read("b") != nil)
    _ = folder.write("a.grant", whole)
    #expect(try store.read("a") == stage.grant("a"))
  }

  @Test func everyFlippedBitIsNoticed() async throws {
    try await stage.store().write(stage.grant("a"))
    let whole = try #require(folder.read("a.grant"))
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1 << (index % 8)
      _ = folder.write("a.grant", bytes)
      try expectSetAside(bytes, stage.store())
      await Task.yield()
    }
  }

  @Test func aLineThatWasLostIsDamageAndNoOtherKey() async throws {
    try await stage.store().write(stage.grant("a"))
    var bytes = try #require(folder.read("a.grant"))
    let lineEnd = try #require(bytes.firstIndex(of: 10))
    bytes[lineEnd] = 0x0B
    // Sealed bytes may contain a line end by chance. This test makes sure that there is one.
    bytes[bytes.count - 40] = 10
    _ = folder.write("a.grant", bytes)
    try expectSetAside(bytes, stage.store())
  }

  @Test(arguments: [
    "", "hello", "oauth-stdio grant 1\n", "oauth-stdio grant 0\na\n", "oauth-stdio grant 2", "{}", String(repeating: "\n", count: 500),
  ])
  func aForeignFileIsNoGrant(text: String) async throws {
    try await stage.store().write(stage.grant("b"))
    _ = folder.write("a.grant", Array(text.utf8))
    #expect(try await stage.store().accounts() == ["a", "b"])
    try expectSetAside(Array(text.utf8), stage.store())
  }

  @Test func aListingMovesNoDamagedFile() async throws {
    let store = stage.store()
    try await store.write(stage.grant("b"))
    _ = folder.write("%41 b.grant", [1, 2])
    _ = folder.write("a.grant", [1, 2])
    for _ in 0..<2 {
      let listed = try await store.list()
      #expect(listed.map(\.account) == ["%41 b", "a", "b"])
      #expect(listed.map { $0.problem != nil } == [true, true, false])
    }
    #expect(folder.read("a.grant") == [1, 2])
  }

  @Test func aGrantUnderAnotherAccountsNameDoesNotOpen() async throws {
    try await stage.store().write(stage.grant("b"))
    let bytes = try #require(folder.read("b.grant"))
    _ = folder.write("a.grant", bytes)
    #expect(try await stage.store().accounts() == ["a", "b"])
    try expectSetAside(bytes, stage.store())
    #expect(try stage.store().read("b") != nil)
  }

  @Test func twoThatAreSetAsideInOneSecondAreBothKept() throws {
    _ = folder.write("key", [UInt8](repeating: 1, count: 32))
    let store = stage.store()
    var kept: [String] = []
    for text in ["one", "two", "three"] {
      _ = folder.write("a.grant", Array(text.utf8))
      kept.append(try #require(stage.rejection(store)?["setAside"]?.string))
    }
    #expect(Set(kept).count == 3)
    let texts = kept.compactMap { folder.read(String($0.split(separator: "/").last ?? "")) }.map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == ["one", "two", "three"])
  }

  @Test func aNewSignInIsKeptBesideWhatWasSetAside() async throws {
    let store = stage.store()
    try await store.write(stage.grant("a"))
    _ = folder.write("a.grant", [1, 2, 3])
    #expect(stage.rejection(store) != nil)
    try await store.write(stage.grant("a", token: "new"))
    #expect(try store.read("a")?.accessToken == Secret("new"))
    #expect(folder.read("a.grant.unreadable-1000000") == [1, 2, 3])
  }

  @Test(.timeLimit(.minutes(1))) func specialFilesDoNotBlockTheStore() async throws {
    let store = stage.store()
    try await store.write(stage.grant("b"))
    mkdir("\(folder.path)/a.grant", 0o700)
    defer { rmdir("\(folder.path)/a.grant") }
    mkfifo("\(folder.path)/pipe.grant", 0o600)
    symlink("/dev/zero", "\(folder.path)/endless.grant")
    #expect(try await store.accounts() == ["a", "b", "endless", "pipe"])
    #expect(stage.rejection(store)?.kind == .storageFailure)
    #expect(stage.rejection(store, "pipe")?.message.contains("not a regular file") == true)
    #expect(stage.rejection(store, "endless")?.kind == .storageFailure)
    #expect(try store.read("b") != nil)
  }

  @Test func aFolderBelowAFileIsReportedWithItsReason() async throws {
    let file = folder.write("file", [1])
    let store = FileStore(folder: "\(file)/grants", clock: .fixed(1)) { [UInt8](repeating: 0, count: $0) }
    let failure = await failureOf { try await store.write(stage.grant("a")) }
    #expect(failure?.kind == .storageFailure)
    #expect(failure?.message.contains("not a directory") == true)
    #expect(await failureOf { try await store.lock("a") }?.kind == .storageFailure)
  }
}
