import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Grants that the disk rejected, on a store that another process changes meanwhile.
struct UnsavedGrantTests {
  private let server = PreparedResponses()
  private let store = StubbornStore()
  private let stage: Stage

  init() { stage = Stage(server, store: store) }

  /// Refreshes a grant whose tokens stay in memory.
  private func refreshUnsaved() async throws {
    try await stage.keep(expiresIn: 0) { $0.login = "ours" }
    store.reject(true)
    server.add(body: #"{"access_token":"access-2","refresh_token":"refresh-2","expires_in":3600}"#)
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?.kind == .storageFailure)
    store.reject(false)
  }

  private func writeTheirs(_ generation: Int, login: String?) async throws {
    try await stage.keep {
      $0.accessToken = Secret("theirs")
      ($0.generation, $0.login) = (generation, login)
    }
  }

  @Test func aSignOutElsewhereIsNotUndone() async throws {
    try await refreshUnsaved()
    store.remove("a")
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?.kind == .signInRequired)
    await stage.accounts.finishExchanges(within: 5)
    #expect(store.read("a") == nil)
  }

  @Test func aSignInElsewhereIsNotReplaced() async throws {
    try await refreshUnsaved()
    try await writeTheirs(1, login: "theirs")
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("theirs"))
    await stage.accounts.finishExchanges(within: 5)
    #expect(store.read("a")?.accessToken == Secret("theirs") && stage.accounts.isIdle)
  }

  /// Earlier versions store no login, so the generations are compared.
  @Test(arguments: [(1, "access-2"), (3, "theirs")])
  func anEarlierVersionsGrantIsComparedByItsNumber(generation: Int, token: String) async throws {
    try await refreshUnsaved()
    try await writeTheirs(generation, login: nil)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret(token))
  }

  /// The client receives the failure and can repeat the import.
  @Test(arguments: [false, true])
  func anImportThatFailsIsNotHeld(replaces: Bool) async throws {
    if replaces { try await stage.keep() }
    store.reject(true)
    let plan = try await stage.plan()
    var grant = plan.grant(accessToken: Secret("imported"), tokenType: "Bearer", at: 1)
    grant.refreshToken = Secret("r")
    let new = grant
    if replaces {
      await #expect(throws: OAuthFailure.self) { try await stage.accounts["a"].keep(new, keepsInMemoryOnFailure: false) }
    } else {
      await #expect(throws: OAuthFailure.self) { try await stage.accounts["a"].keepFirst(new) }
    }
    store.reject(false)
    #expect(try await stage.accounts["a"].currentAfterSaving()?.accessToken == (replaces ? Secret("access-1") : nil))
    #expect(stage.accounts.isIdle)
  }

  /// The user has signed in for it, so the grant stays in memory.
  @Test func aSignInThatFailsIsHeld() async throws {
    server.add(body: #"{"access_token":"new","expires_in":3600}"#)
    let (_, state) = try await stage.begin()
    store.reject(true)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)&iss=https://id.example"))
    #expect(await soon { stage.told.last?.hasPrefix("failed") == true })
    store.reject(false)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("new"))
    #expect(store.read("a")?.accessToken == Secret("new") && store.read("a")?.login != nil)
  }
}
