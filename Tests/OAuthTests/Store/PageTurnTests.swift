import Testing

@testable import OAuth

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whose turn it is to open a page, between stores that share a folder as processes do.
struct PageTurnTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(at now: Int = 1_000_000) -> FileStore {
    FileStore(folder: folder.path, clock: { now }) { [UInt8](repeating: 1, count: $0) }
  }

  private func isOurs(_ turn: PageTurn) -> Bool {
    if case .ours = turn { return true }
    return false
  }

  @Test func oneAtATime() async {
    var first: PageTurn? = await store().turn(toOpenPageOf: "a", apart: 10)
    #expect(first.map(isOurs) == true)
    #expect(isOurs(await store().turn(toOpenPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store().turn(toOpenPageOf: "a", apart: nil)) == false)
    #expect(isOurs(await store().turn(toOpenPageOf: "b", apart: nil)))
    withExtendedLifetime(first) {}
    first = nil
    #expect(isOurs(await store().turn(toOpenPageOf: "a", apart: nil)))
  }

  /// A page that was opened long ago may have been closed; whoever opens another one counts from then.
  @Test func anOldPageDoesNotCountForWhoAsks() async {
    let first = await store().turn(toOpenPageOf: "a", apart: 10)
    #expect(isOurs(await store(at: 1_000_009).turn(toOpenPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store(at: 1_000_010).turn(toOpenPageOf: "a", apart: nil)) == false)
    #expect(isOurs(await store(at: 1_000_010).turn(toOpenPageOf: "a", apart: 10)))
    #expect(isOurs(await store(at: 1_000_011).turn(toOpenPageOf: "a", apart: 10)) == false)
    #expect(isOurs(await store(at: 1_000_011).turn(toOpenPageOf: "a", apart: 0)))
    // A clock that was set back.
    #expect(isOurs(await store(at: 900_000).turn(toOpenPageOf: "a", apart: 10)))
    withExtendedLifetime(first) {}
  }

  /// A folder that takes no file, or a link in the file's place, keeps no page away.
  @Test func whatCannotBeToldIsOurs() async {
    symlink("\(folder.path)/elsewhere", "\(folder.path)/a.grant.page")
    #expect(isOurs(await store().turn(toOpenPageOf: "a", apart: 10)))
    #expect(folder.names == ["a.grant.page"])
    let nowhere = FileStore(folder: folder.path + "/none", clock: { 1 }) { [UInt8](repeating: 1, count: $0) }
    #expect(isOurs(await nowhere.turn(toOpenPageOf: "a", apart: nil)))
  }

  @Test func itIsNoGrant() async throws {
    let turn = await store().turn(toOpenPageOf: "a", apart: 10)
    #expect(folder.mode("a.grant.page") == 0o600)
    #expect(try store().accounts() == [] && store().read("a") == nil)
    withExtendedLifetime(turn) {}
  }
}
