import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// The events of changed accounts: one for each change, and none for what users need not know.
struct ChangeLedgerTests {
  private static func grant(_ login: String?, _ issued: Int, isRejected: Bool = false) -> ChangeLedger.StoredState {
    .grant(login: login, issued: Instant(milliseconds: issued), isRejected: isRejected)
  }

  private static let table: [(ChangeLedger.StoredState, ChangeLedger.StoredState, AccountEvent.Change?)] = [
    (.noGrant, .noGrant, nil),
    (.noGrant, .unread, nil),
    (.noGrant, grant("x", 1), .signedIn),
    (.noGrant, grant("x", 1, isRejected: true), .rejected),
    (.unread, .noGrant, .removed),
    (.unread, .unread, nil),
    (.unread, grant("x", 1), .signedIn),
    (grant("x", 1), .noGrant, .removed),
    (grant("x", 1), .unread, nil),
    (grant("x", 1), grant("x", 1), nil),
    (grant("x", 1), grant("x", 2), .refreshed),
    // The clock was set back.
    (grant("x", 2), grant("x", 1), .refreshed),
    (grant("x", 1), grant("y", 1), .signedIn),
    (grant("x", 1), grant("y", 2), .signedIn),
    (grant("x", 1), grant("x", 1, isRejected: true), .rejected),
    (grant("x", 1), grant("x", 2, isRejected: true), .rejected),
    (grant("x", 1, isRejected: true), grant("x", 1, isRejected: true), nil),
    (grant("x", 1, isRejected: true), grant("y", 2, isRejected: true), .rejected),
    (grant("x", 1, isRejected: true), grant("x", 2), .refreshed),
    (grant("x", 1, isRejected: true), grant("y", 2), .signedIn),
    (grant("x", 1, isRejected: true), .noGrant, .removed),
  ]

  @Test(arguments: table.indices) func twoStatesMakeOneChange(index: Int) {
    let (old, new, change) = Self.table[index]
    #expect(old.change(to: new) == change, "\(old) → \(new)")
  }

  // MARK: Two processes with one store

  private let folder: TemporaryFolder
  private let server: PreparedResponses
  private let here: Stage
  private let elsewhere: Stage

  init() throws {
    let (folder, server, clock) = (try TemporaryFolder(), PreparedResponses(), ManualClock())
    func stage() -> Stage {
      Stage(
        server,
        store: FileStore(folder: folder.path, clock: .fixed(1_000_000)),
        reportsChanges: true, clock: clock)
    }
    (self.folder, self.server) = (folder, server)
    here = stage()
    elsewhere = stage()
  }

  private func importGrant(_ account: String = "a", by stage: Stage) async throws {
    var imported = ImportedGrant()
    (imported.accessToken, imported.refreshToken) = (Secret("t"), Secret("r"))
    let new = imported
    _ = try await stage.accounts.importGrant(new, for: Stage.request(account), replaces: true)
  }

  private func refresh(_ stage: Stage) async throws {
    stage.clock.advance(1)
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    _ = try await stage.accounts.refresh("a", force: true, requestID: nil)
  }

  /// Starts watching, and returns when the state of all accounts is known.
  private func watch() async throws {
    _ = try await elsewhere.accounts.list()
    elsewhere.accounts.watchIfWanted()
  }

  /// The other process's change comes first, and neither is lost.
  @Test func aChangeThatWasNotNoticedYetIsReportedBeforeTheOwnOne() async throws {
    _ = try await here.accounts.list()
    try await importGrant(by: elsewhere)
    try await refresh(here)
    #expect(here.told.filter { $0.hasPrefix("a ") } == ["a signedIn elsewhere", "a refreshed here"])
  }

  @Test func whatAClientHasSeenBeforeTheFirstListingCounts() async throws {
    try await importGrant(by: elsewhere)
    _ = try here.accounts.find("a")
    _ = try here.accounts.find("b")
    try await importGrant("b", by: elsewhere)
    _ = try await elsewhere.accounts.signOut("a")
    here.accounts.watchIfWanted()
    #expect(await soon { Set(here.told) == ["a removed elsewhere", "b signedIn elsewhere"] })
  }

  /// What is stored for other reasons changes no login and no access token.
  @Test func aChangeOfNoInterestIsNoEvent() async throws {
    try await importGrant(by: here)
    try await watch()
    var grant = try #require(try here.store.read("a"))
    (grant.email, grant.generation) = ("a@example.org", 9)
    try await here.store.write(grant)
    _ = try await (here.store as? FileStore)?.rekey(to: .file)
    try await refresh(here)
    #expect(await soon { elsewhere.told == ["a refreshed elsewhere"] })
  }
}
