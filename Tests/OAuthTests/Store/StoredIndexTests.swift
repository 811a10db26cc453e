import Crypto
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

/// When the index is written, used and deleted.
struct StoredIndexTests {
  private let stage: StoreStage
  private var folder: TemporaryFolder { stage.folder }
  private let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  private static let count = 300

  init() throws {
    stage = try StoreStage()
    _ = folder.write("key", [UInt8](repeating: 7, count: 32))
    for index in 0..<Self.count { try put(index, "t") }
  }

  /// Written without the store, whose syncing takes most of the time.
  private func put(_ index: Int, _ token: String) throws {
    var grant = stage.grant("a\(index)", token: "s3cr3t-access-\(token)")
    (grant.refreshToken, grant.idToken, grant.tokenSecret) = (Secret("s3cr3t-refresh"), Secret("s3cr3t-id"), Secret("s3cr3t-secret"))
    grant.client.secret = Secret("s3cr3t-client")
    grant.email = "user\(index)@example.com"
    _ = folder.write("a\(index).grant", try SealedGrant.seal(grant, with: key))
  }

  private func listing(_ store: FileStore) async throws -> [AccountSummary.Listed] {
    let listed = try await store.list()
    store.finish()
    return listed
  }

  /// What the index holds.
  private func entries() throws -> [ListingIndex.Entry] {
    let file = try #require(folder.read(ListingIndex.name))
    return try #require(ListingIndex.open(file, with: key))
  }

  /// Exchanges the content for another one that no stamp tells apart.
  private func spoil(_ name: String, after seconds: Int = 0) throws {
    let path = "\(folder.path)/\(name)"
    var status = stat()
    #expect(stat(path, &status) == 0)
    _ = folder.write(name, [UInt8](repeating: 1, count: Int(status.st_size)))
    #if canImport(Glibc)
      var time = status.st_mtim
    #else
      var time = status.st_mtimespec
    #endif
    time.tv_sec += seconds
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
  }

  private func damaged(_ listed: [AccountSummary.Listed]) -> [String] { listed.filter { $0.problem != nil }.map(\.account) }

  @Test func anotherProcessReadsNoGrantThatIsUnchanged() async throws {
    let first = try await listing(stage.store())
    #expect(first.count == Self.count && folder.mode(ListingIndex.name) == 0o600)
    try spoil("a1.grant")
    try spoil("a2.grant", after: 1)
    let second = try await listing(stage.store())
    #expect(damaged(second) == ["a2"])
    #expect(second.filter { $0.account != "a2" }.map(\.summary?.email) == first.filter { $0.account != "a2" }.map(\.summary?.email))
    #expect(second.map(\.account) == first.map(\.account) && first.map(\.account) == first.map(\.account).sorted())
    unlink("\(folder.path)/\(ListingIndex.name)")
    let third = try await listing(stage.store())
    #expect(damaged(third) == ["a1", "a2"])
  }

  @Test func aGrantWithAnotherModeIsReadAgain() async throws {
    _ = try await listing(stage.store())
    try spoil("a1.grant")
    #expect(chmod("\(folder.path)/a1.grant", 0o400) == 0)
    #expect(damaged(try await listing(stage.store())) == ["a1"])
  }

  @Test func anotherUsersGrantDeletesTheIndex() async throws {
    let store = stage.store()
    _ = try await listing(store)
    var grant = try #require(try store.read("a1"))
    grant.generation += 1
    try await store.write(grant)
    #expect(folder.read(ListingIndex.name) != nil)
    grant.email = "other@example.com"
    try await store.write(grant)
    #expect(folder.read(ListingIndex.name) == nil)
  }

  @Test func aChangedGrantIsReadAgain() async throws {
    _ = try await listing(stage.store())
    try await stage.store().write(stage.grant("a5", token: "new"))
    let listed = try await listing(stage.store())
    #expect(listed.first { $0.account == "a5" }?.summary.map { $0.email } == .some(nil))
  }

  @Test func noTokenIsInTheIndex() async throws {
    _ = try await listing(stage.store())
    let file = try #require(folder.read(ListingIndex.name))
    let end = try #require(file.firstIndex(of: 10))
    let body = try #require(SealedGrant.open(file[(end + 1)...], with: key, authenticating: Array(file[...end])))
    let (sealed, opened) = (String(decoding: file, as: UTF8.self), String(decoding: body, as: UTF8.self))
    #expect(opened.contains("user7@example.com") && !opened.contains("s3cr3t"))
    #expect(!sealed.contains("example.com") && !sealed.contains("user7"))
  }

  @Test func aSignOutDeletesIt() async throws {
    let store = stage.store()
    _ = try await listing(store)
    try await store.remove("a3")
    #expect(!folder.names.contains(ListingIndex.name))
    let listed = try await listing(store)
    #expect(listed.count == Self.count - 1)
    let entries = try entries()
    #expect(entries.count == Self.count - 1 && !entries.contains { $0.name == "a3.grant" })
  }

  /// The other process has listed the folder before the sign-out and writes the index after it.
  @Test func anIndexOfARemovedGrantDoesNotStay() async throws {
    let (store, other) = (stage.store(), stage.store())
    _ = try await listing(other)
    let entries = try entries()
    other.writeIndex(entries)
    #expect(folder.names.contains(ListingIndex.name))
    try await store.remove("a3")
    other.writeIndex(entries)
    #expect(!folder.names.contains(ListingIndex.name))
  }

  @Test func aSignOutOfAnotherProcessReplacesIt() async throws {
    let store = stage.store()
    _ = try await listing(store)
    unlink("\(folder.path)/a3.grant")
    _ = try await listing(store)
    let entries = try entries()
    #expect(entries.count == Self.count - 1)
  }

  @Test(arguments: ["", "oauth-stdio listing 2 0011223344556677\nx", "of another program"]) func aUselessIndexIsReplaced(text: String)
    async throws
  {
    _ = folder.write(ListingIndex.name, Array(text.utf8))
    let listed = try await listing(stage.store())
    #expect(listed.count == Self.count && damaged(listed).isEmpty)
    #expect(try entries().count == Self.count)
  }

  @Test(.enabled(if: geteuid() == 0)) func anIndexOfAnotherUserIsNotUsed() async throws {
    _ = try await listing(stage.store())
    try spoil("a1.grant")
    chown("\(folder.path)/\(ListingIndex.name)", 12345, 12345)
    #expect(damaged(try await listing(stage.store())) == ["a1"])
  }

  @Test func anIndexThatCannotBeWrittenIsNoError() async throws {
    mkdir("\(folder.path)/\(ListingIndex.name)", 0o700)
    defer { rmdir("\(folder.path)/\(ListingIndex.name)") }
    let store = stage.store()
    for _ in 0..<2 { #expect(try await listing(store).count == Self.count) }
    #expect(!folder.names.contains { $0.hasSuffix(".tmp") })
  }

  @Test func fewChangesDoNotReplaceIt() async throws {
    _ = try await listing(stage.store())
    let before = folder.read(ListingIndex.name)
    try put(0, "new")
    try put(1, "new")
    _ = try await listing(stage.store())
    #expect(folder.read(ListingIndex.name) == before)
    for index in 0..<3 { try put(index, "newer") }
    _ = try await listing(stage.store())
    #expect(folder.read(ListingIndex.name) != before)
  }

  /// A file that cannot be read is no change.
  @Test func anUnreadableFileDoesNotReplaceIt() async throws {
    _ = folder.write("x.grant", [1, 2])
    let store = stage.store()
    #expect(damaged(try await listing(store)) == ["x"])
    let before = folder.read(ListingIndex.name)
    for _ in 0..<2 { #expect(damaged(try await listing(store)) == ["x"]) }
    #expect(before != nil && folder.read(ListingIndex.name) == before)
  }

  @Test func aGrantThatCanNoLongerBeReadLeavesIt() async throws {
    let store = stage.store()
    _ = try await listing(store)
    try spoil("a1.grant", after: 1)
    #expect(damaged(try await listing(store)) == ["a1"])
    #expect(try entries().count == Self.count - 1)
  }

  @Test func aSmallStoreHasNone() async throws {
    let store = stage.store()
    _ = try await listing(store)
    for index in 0..<100 { unlink("\(folder.path)/a\(index).grant") }
    #expect(try await listing(store).count == Self.count - 100)
    #expect(!folder.names.contains(ListingIndex.name))
  }
}
