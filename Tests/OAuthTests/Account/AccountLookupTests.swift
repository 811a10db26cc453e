import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Tests what `afterSignIn` looks up, and how a grant with it is stored.
struct AccountLookupTests {
  private let lookup =
    #""afterSignIn":{"url":"https://api.example/sites","variables":{"site":"0.id"}},"#
    + #""apiBase":"https://api.example/{site}/""#

  private func grant(_ members: String) throws -> Grant {
    let provider = try JSON.parse(Array(#"{"tokenEndpoint":"https://id.example/token",\#(members)}"#.utf8))
    return Grant(account: "a", provider: provider, client: Client(id: "c"), accessToken: Secret("at"), tokenType: "Bearer", issuedAt: 0)
  }

  private func completed(_ grant: Grant, _ answer: String) async throws -> Grant? {
    let server = PreparedResponses()
    server.add(body: answer)
    return await AccountLookupRequest(dependencies: Stage(server).accounts.dependencies, requestID: nil).completed(grant)
  }

  @Test func aValueOfTheUsersOwnIsNotLookedUp() async throws {
    let given = try grant(lookup + #","variables":{"site":"mine"}"#)
    #expect(try await completed(given, "[]") == nil)
    #expect(try given.resolvedProvider.api.apiBase == "https://api.example/mine/")
  }

  @Test(arguments: ["[]", "{}", "no json", #"[{"id":{}}]"#, "[{\"id\":\"a\\u0000b\"}]"])
  func anAnswerWithoutTheValueChangesNothing(answer: String) async throws {
    #expect(try await completed(try grant(lookup), answer) == nil)
  }

  /// A value from the service must not send the token to a foreign host.
  @Test func aValueThatLeadsToAForeignHostIsRejected() async throws {
    let members =
      #""afterSignIn":{"url":"https://api.example/s","variables":{"base":"url"}},"#
      + #""apiBase":"{base}/","apiHosts":["api.example"]"#
    #expect(try await completed(try grant(members), #"{"url":"https://evil.example"}"#) == nil)
    #expect(try await completed(try grant(members), #"{"url":"https://api.example"}"#)?.attributes["base"] == "https://api.example")
  }
}
