import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which process may open a page, tested with stores that share a folder as processes do.
struct BrowserLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(at now: Int = 1_000_000) -> FileStore {
    FileStore(folder: folder.path, clock: .fixed(now)) { [UInt8](repeating: 1, count: $0) }
  }

  private func isOurs(_ turn: BrowserLock) -> Bool {
    if case .ours = turn { return true }
    return false
  }

  @Test func oneAtATime() async {
    var first: BrowserLock? = await store().browserLock(forPageOf: "a", apart: 10)
    #expect(first.map(isOurs) == true)
    #expect(isOurs(await store().browserLock(forPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store().browserLock(forPageOf: "a", apart: nil)) == false)
    #expect(isOurs(await store().browserLock(forPageOf: "b", apart: nil)))
    withExtendedLifetime(first) {}
    first = nil
    #expect(isOurs(await store().browserLock(forPageOf: "a", apart: nil)))
  }

  /// The user may have closed a page that was opened long ago. A new page restarts the interval.
  @Test func anOldPageDoesNotCountForWhoAsks() async {
    let first = await store().browserLock(forPageOf: "a", apart: 10)
    #expect(isOurs(await store(at: 1_000_009).browserLock(forPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store(at: 1_000_010).browserLock(forPageOf: "a", apart: nil)) == false)
    #expect(isOurs(await store(at: 1_000_010).browserLock(forPageOf: "a", apart: 10)))
    #expect(isOurs(await store(at: 1_000_011).browserLock(forPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store(at: 1_000_011).browserLock(forPageOf: "a", apart: 0)))
    // A clock that was set back.
    #expect(isOurs(await store(at: 900_000).browserLock(forPageOf: "a", apart: 10)))
    withExtendedLifetime(first) {}
  }

  /// If the file cannot be written or a link is in its place, the page is opened anyway.
  @Test func withoutAUsableFileThePageIsOpened() async {
    symlink("\(folder.path)/elsewhere", "\(folder.path)/a.grant.page")
    #expect(isOurs(await store().browserLock(forPageOf: "a", apart: 10)))
    #expect(folder.names == ["a.grant.page"])
    let nowhere = FileStore(folder: folder.path + "/none", clock: .fixed(1)) { [UInt8](repeating: 1, count: $0) }
    #expect(isOurs(await nowhere.browserLock(forPageOf: "a", apart: nil)))
  }

  @Test func thePageFileIsNoGrant() async throws {
    let turn = await store().browserLock(forPageOf: "a", apart: 10)
    #expect(folder.mode("a.grant.page") == 0o600)
    #expect(try store().accounts() == [] && store().read("a") == nil)
    withExtendedLifetime(turn) {}
  }
}
