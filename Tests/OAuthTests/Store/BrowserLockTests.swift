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

/// Which process may open a page, tested with locks that share a folder as processes do.
struct BrowserLockTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func locks(at now: Int = 1_000_000) -> GrantLock.Browser {
    GrantLock.Browser(folder: StoreFolder(folder.path), clock: .fixed(now))
  }

  private func isOurs(_ turn: GrantLock.Browser.Turn) -> Bool {
    if case .ours = turn { return true }
    return false
  }

  /// The user may have closed a page that was opened long ago. A new page restarts the interval.
  @Test func anOldPageDoesNotCountForWhoAsks() async {
    let first = await locks().take("a", apart: 10)
    #expect(isOurs(await locks(at: 1_000_009).take("a", apart: 10)) == false)
    #expect(isOurs(await locks(at: 1_000_010).take("a", apart: nil)) == false)
    #expect(isOurs(await locks(at: 1_000_010).take("a", apart: 10)))
    #expect(isOurs(await locks(at: 1_000_011).take("a", apart: 10)) == false)
    #expect(isOurs(await locks(at: 1_000_011).take("a", apart: 0)))
    // A clock that was set back.
    #expect(isOurs(await locks(at: 900_000).take("a", apart: 10)))
    withExtendedLifetime(first) {}
  }

  /// If the file cannot be written or a link is in its place, the page is opened anyway.
  @Test func withoutAUsableFileThePageIsOpened() async {
    symlink("\(folder.path)/elsewhere", "\(folder.path)/a.grant.page")
    #expect(isOurs(await locks().take("a", apart: 10)))
    #expect(folder.names == ["a.grant.page"])
    #expect(isOurs(await GrantLock.Browser(folder: StoreFolder(folder.path + "/none"), clock: .fixed(1)).take("a", apart: nil)))
    #expect(isOurs(await GrantLock.Browser.unshared.take("a", apart: nil)))
  }

  @Test func thePageFileIsNoGrant() async throws {
    let turn = await locks().take("a", apart: 10)
    #expect(folder.mode("a.grant.page") == 0o600)
    let store = FileStore(folder: folder.path, clock: .fixed(1))
    #expect(try await store.accounts() == [] && store.read("a") == nil)
    withExtendedLifetime(turn) {}
  }
}
