import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Signs an account out while another process holds its lock and waits for a server.
struct ForgettingTests {
  private let folder: TemporaryFolder
  private let stage: Stage
  private let theirs: FileStore

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path
    func store() -> FileStore { FileStore(folder: path, clock: .fixed(1)) }
    stage = Stage(PreparedResponses(), store: store())
    theirs = store()
  }

  private func keep(generation: Int, expiresIn: Int = 3600) async throws {
    try await stage.keep(expiresIn: expiresIn) { $0.generation = generation }
  }

  /// Signs the account out. The other process keeps the lock for longer than the sign-out waits.
  private func signOut() async throws -> Bool {
    let signOut = Task { try await stage.accounts.signOut("a").wasSignedIn }
    try await stage.clock.pauses(atLeast: 1)
    stage.clock.advance(1)
    return try await signOut.value
  }

  @Test func aCallEndsInItsTimeWhileAnotherProcessHoldsTheLock() async throws {
    try await keep(generation: 1, expiresIn: 0)
    let lock = try await theirs.lock("a")
    var request = APIRequest(account: "a", url: "items")
    request.timeout = 1
    let call = try APICall(accounts: stage.accounts, request: request) { _ in true }
    let running = Task { try await call.run() }
    try await stage.clock.pauses(atLeast: 1)
    stage.clock.advance(1)
    let failure = await failureOf { try await running.value }
    #expect(failure?.kind == .timedOut && failure?.isRetryable == true && failure?.account == "a")
    withExtendedLifetime(lock) {}
  }

  /// A refresh that another process writes after the sign-out does not restore the account.
  @Test func aSignOutDoesNotWaitAndIsNotUndone() async throws {
    try await keep(generation: 3)
    let lock = Held(try await theirs.lock("a"))
    #expect(try await signOut())
    #expect(try stage.store.read("a") == nil)
    try await keep(generation: 4)
    lock.release()
    #expect(await soon { (try? stage.store.read("a")) == .some(nil) })
    #expect(await soon { stage.accounts.isIdle })
  }

  /// A sign-in after the sign-out starts with generation 1 again.
  @Test func aSignInAfterTheSignOutStays() async throws {
    try await keep(generation: 3)
    let lock = Held(try await theirs.lock("a"))
    #expect(try await signOut())
    try await keep(generation: 1)
    lock.release()
    await stage.accounts.finishExchanges(within: 5)
    #expect(try stage.store.read("a")?.generation == 1)
  }

  /// The new sign-in may have been refreshed before the second look, so its generation proves nothing.
  @Test(arguments: [("theirs", true), ("ours", false)])
  func theSecondLookTellsSignInsApart(login: String, stays: Bool) async throws {
    try await stage.keep { $0.login = "ours" }
    let lock = Held(try await theirs.lock("a"))
    #expect(try await signOut())
    try await stage.keep {
      $0.login = login
      $0.generation = 2
    }
    lock.release()
    await stage.accounts.finishExchanges(within: 5)
    #expect(try (stage.store.read("a") != nil) == stays)
  }

  /// There was no grant to forget, so the grant that comes later is new.
  @Test func aSignOutWithoutAGrantRemovesNothing() async throws {
    let lock = Held(try await theirs.lock("a"))
    #expect(try await signOut() == false)
    try await keep(generation: 1)
    lock.release()
    await stage.accounts.finishExchanges(within: 5)
    #expect(try stage.store.read("a") != nil)
  }
}

/// A lock that the test releases.
final class Held {
  private var lock: GrantLock?

  init(_ lock: GrantLock) { self.lock = lock }

  func release() { lock = nil }
}
