import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Store

/// Which of several accounts serves a host.
struct HostAccountTests {
  private let stage = Stage(Server { _ throws(HTTPFailure) in HTTPResponse(status: 404) })

  /// Returns the name of the account that serves the host for this user name.
  private func account(_ user: String?, rejected: String? = nil, configured: [String] = []) async throws -> String? {
    let url = try URLParts("https://git.example/")
    let accounts = HostAccounts(stage.accounts, for: .git)
    return try await accounts.account(at: url, user: user, rejected: rejected.map(Secret.init), configured: configured)?.account
  }

  private func keep(_ account: String, _ change: (inout Grant) -> Void = { _ in }) async throws {
    try await stage.keep(account) { grant in
      let members: [JSON.Member] = [.init("gitHosts", ["git.example"]), .init("gitUserName", "robot")]
      grant.provider = .object(ProviderCatalog.merge(members, over: Stage.provider))
      grant.accessToken = Secret("token of \(account)")
      change(&grant)
    }
  }

  @Test(
    arguments: [
      ("a", "a"), ("b", "b"), ("me@example.com", "b"), ("ME@example.com", "b"), ("user-2", "b"), ("octocat", "b"), ("robot", "a"),
    ])
  func aUserNameChoosesTheAccount(user: String, account expected: String) async throws {
    try await keep("a")
    try await keep("b") { (grant) in
      (grant.email, grant.subject) = ("me@example.com", "user-2")
      grant.attributes.pairs = [(name: "login", value: "octocat")]
    }
    #expect(try await account(user) == expected)
    #expect(try await account(nil) == "a")
  }

  @Test func anUnknownUserNameChoosesNoneOfSeveralAccounts() async throws {
    try await keep("a")
    // One account serves every user name.
    #expect(try await account("someone") == "a")
    try await keep("b")
    let failure = await failureOf { try await account("someone") }
    #expect(failure?.kind == .configurationInvalid && failure?["path"] == "/username" && failure?["known"] == ["a", "b"])
    // Some users put a token in the place of the name.
    #expect(failure?.message.contains("someone") == false)
  }

  /// The token of another account would be that of another user.
  @Test func aNamedAccountThatCannotBeUsedIsNotReplaced() async throws {
    try await keep("a")
    try await stage.keep("b") { $0.provider = ["tokenEndpoint": 1] }
    #expect(await failureOf { try await account("b") } != nil)
    #expect(try await account("someone") == "a")
  }

  @Test func aRejectedTokenBelongsToItsAccount() async throws {
    try await keep("a")
    try await keep("b")
    #expect(try await account("robot", rejected: "token of b") == "b")
    #expect(try await account("robot", rejected: "an older token") == "a")
  }
}
