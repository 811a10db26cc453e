import Jansson
import Testing

@testable import OAuth

struct RevokeTests {
  private let server = PreparedAnswers()
  private let stage: Stage

  init() { stage = Stage(server) }

  private static let withEndpoint = JSON.object(Stage.provider + [.init("revocationEndpoint", "https://id.example/revoke")])

  @Test func bothTokensAreTakenBackTheRefreshTokenFirst() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 400, body: #"{"error":"invalid_token"}"#)
    #expect(try await stage.accounts.revoke("a", cause: nil).isRevoked)
    #expect(server.requests.map { $0.field("token") } == ["refresh-1", "access-1"])
    #expect(server.requests.map { $0.field("token_type_hint") } == ["refresh_token", "access_token"])
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked revoked"])
  }

  @Test func withoutAWayTheGrantIsForgottenAndNothingElseIsClaimed() async throws {
    try await stage.keep()
    #expect(try await stage.accounts.revoke("a", cause: nil).isRevoked == false)
    #expect(server.requests.isEmpty)
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked unsupported"])
  }

  @Test func aServerThatFailsKeepsTheGrant() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 503, body: "refresh-1 client-secret")
    let failure = await failureOf { try await stage.accounts.revoke("a", cause: nil) }
    #expect(failure?.kind == .authorizationServerError && failure?.account == "a")
    #expect(await failureOf { try await stage.accounts.revoke("a", cause: nil) }?.kind == .networkFailure)
    #expect(try stage.store.read("a") != nil)
    #expect(stage.told == [])
  }

  @Test func whoSignsOutTellsNobody() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    #expect(try await stage.accounts.signOut("a").wasKnown)
    #expect(try await stage.accounts.signOut("a").wasKnown == false)
    #expect(server.requests.isEmpty)
  }

  /// A token that stands in a path is in nothing that is told, in whichever spelling a server quotes it.
  @Test(arguments: ["no access%2F1 here", "no access/1 here"])
  func aTokenInAPathIsShownNowhere(text: String) async throws {
    try await stage.keep { grant in
      grant.provider = .object(
        Stage.provider + [.init("revocationEndpoint", "https://id.example/t/{accessToken}/end"), .init("revocationStyle", "get")])
      grant.accessToken = Secret("access/1")
    }
    server.add(status: 500, body: #"{"error":"x","error_description":"\#(text)"}"#)
    let failure = try #require(await failureOf { try await stage.accounts.revoke("a", cause: nil) })
    #expect(server.requests.map { "\($0.method) \($0.url)" } == ["GET https://id.example/t/access%2F1/end"])
    #expect(failure["errorDescription"] == "no … here")
    server.add { _ in .failure(.network(host: "id.example", cause: "connect", answered: false)) }
    let unreachable = try #require(await failureOf { try await stage.accounts.revoke("a", cause: nil) })
    #expect(!"\(unreachable)".contains("access"))
    let steps = try await stage.accounts.rehearse(
      Stage.request(with: [.init("revocationEndpoint", "https://id.example/t/{accessToken}/end"), .init("revocationStyle", "get")])
    ).rehearsal.steps.filter { $0.name == "revocation" }
    #expect(steps.map(\.url) == ["https://id.example/t/ACCESS_TOKEN/end"])
  }
}
