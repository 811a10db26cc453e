import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Sign-ins that the user cancels, and sign-ins that another process makes unnecessary.
struct GivingUpTests {
  private let gate = Promise<Void>()
  private let asked = EventCount()
  private let store = ReadCounter()
  private let stage: Stage

  /// A store that counts how often it was read since it was last written.
  private final class ReadCounter: AccountStore {
    private let memory = MemoryStore()
    private let count = Mutex(0)
    var reads: Int { count.withLock { $0 } }

    func find(_ account: String) -> StoredGrant? {
      count.withLock { $0 += 1 }
      return memory.find(account)
    }

    func write(_ grant: Grant) throws(OAuthFailure) {
      count.withLock { $0 = 0 }
      try memory.write(grant)
    }

    func remove(_ account: String) { memory.remove(account) }
    func list() -> [ListedAccount] { memory.list() }
    func makeReady() {}
    func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) { memory.watch(onChange) }
    func lock(_ account: String) async throws -> GrantLock { try await memory.lock(account) }
  }

  init() {
    stage = Stage(
      Server { [gate, asked] _ throws(HTTPFailure) in
        asked.add()
        do { try await gate.value() } catch { throw .cancelled }
        return .json(#"{"access_token":"A","refresh_token":"R"}"#)
      }, store: store)
  }

  private func cancelledMessage(_ prompt: SignInPrompt) async -> String? {
    await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }?.message
  }

  @Test func signingOutGivesTheOpenSignInUp() async throws {
    let (prompt, state) = try await stage.begin()
    #expect(stage.accounts.openSignIn("a") == prompt && stage.accounts.openSignIn("b") == nil)
    #expect(try await stage.accounts.signOut("a").wasSignedIn == false)
    #expect(stage.accounts.openSignIn("a") == nil)
    #expect(await cancelledMessage(prompt) == "the sign-in was cancelled")
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)") == false)
    #expect(stage.told == ["requested", "abandoned cancelled"])
  }

  @Test func revokingGivesTheOpenSignInUp() async throws {
    let (prompt, _) = try await stage.begin()
    #expect(await failureOf { try await stage.accounts.revoke("a", requestID: nil) }?["reason"] == "noGrant")
    #expect(await cancelledMessage(prompt) == "the sign-in was cancelled")
  }

  /// The user has just finished that page, so it is not abandoned for another one.
  @Test func alwaysWaitsForACodeThatIsBeingExchanged() async throws {
    let (prompt, state) = try await stage.begin()
    let handling = Task { try await stage.accounts.handleRedirect("code=c&state=\(state)") }
    #expect(await soon { asked.value == 1 })
    let next = Task { try await stage.begin(Stage.request().always()) }
    #expect(await soon { await stage.awaitingExchange() == 2 })
    #expect(stage.told == ["requested"])
    gate.settle(.success(()))
    #expect(try await handling.value)
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
    #expect(try await next.value.prompt.id != prompt.id)
    #expect(stage.told == ["requested", "authorized signedIn", "requested"])
  }

  @Test(
    arguments: [
      { $0.client.id = "other" }, { $0.grantedScopes = [] }, { ($0.issuedAt, $0.expiresAt) = (996_400, 1_000_030) },
      { $0.isRejected = true },
    ] as [@Sendable (inout Grant) -> Void])
  func aGrantThatIsNotEnoughEndsNothing(change: @Sendable (inout Grant) -> Void) async throws {
    let (prompt, _) = try await stage.begin()
    try await stage.keep("a", change)
    #expect(await soon { store.reads > 0 })
    #expect(stage.accounts.openSignIn("a") == prompt)
    #expect(stage.told == ["requested"])
    try await stage.keep()
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: nil)?.via == .stored)
  }

  /// A caller that wants a page despite a stored grant also wants it despite a grant that arrives later.
  @Test func alwaysIsNotEndedByAGrant() async throws {
    let (prompt, state) = try await stage.begin(Stage.request().always())
    try await stage.keep()
    #expect(await stage.signIn?.watching.isEmpty == true)
    #expect(stage.accounts.openSignIn("a") == prompt)
    gate.settle(.success(()))
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
  }
}
