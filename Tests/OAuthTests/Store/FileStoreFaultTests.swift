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

  @Test func aFolderIsMadeReadyAndStaysSo() async throws {
    let store = FileStore(folder: "\(folder.path)", clock: .fixed(1))
    try await store.makeReady()
    try await store.makeReady()
    #expect(folder.names == ["key"])
  }

  @Test func everyFlippedBitIsNoticed() async throws {
    try await stage.store().write(stage.grant("a"))
    let whole = try #require(folder.read("a.grant"))
    // A flipped bit of the first line may name another version or another key.
    let lineEnd = try #require(whole.firstIndex(of: 10))
    for index in whole.indices.dropFirst(lineEnd) {
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

  @Test(.timeLimit(.minutes(1))) func specialFilesDoNotBlockTheStore() async throws {
    let store = stage.store()
    try await store.write(stage.grant("b"))
    mkdir("\(folder.path)/a.grant", 0o700)
    defer { rmdir("\(folder.path)/a.grant") }
    mkfifo("\(folder.path)/pipe.grant", 0o600)
    symlink("/dev/zero", "\(folder.path)/endless.grant")
    symlink("loop.grant", "\(folder.path)/loop.grant")
    #expect(try await store.accounts() == ["a", "b", "endless", "loop", "pipe"])
    let loop = try await store.list().first { $0.account == "loop" }
    #expect(loop?.problem?.message.contains("\(folder.path)/loop.grant") == true)
    #expect(stage.rejection(store)?.kind == .storageFailure)
    #expect(stage.rejection(store, "pipe")?.message.contains("not a regular file") == true)
    #expect(stage.rejection(store, "endless")?.kind == .storageFailure)
    #expect(try store.read("b") != nil)
  }
}
