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
    #expect(try await stage.accounts.revoke("a", cause: nil))
    #expect(server.requests.map { $0.field("token") } == ["refresh-1", "access-1"])
    #expect(server.requests.map { $0.field("token_type_hint") } == ["refresh_token", "access_token"])
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked revoked"])
  }

  @Test func withoutAWayTheGrantIsForgottenAndNothingElseIsClaimed() async throws {
    try await stage.keep()
    #expect(try await stage.accounts.revoke("a", cause: nil) == false)
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
    #expect(try await stage.accounts.signOut("a"))
    #expect(try await stage.accounts.signOut("a") == false)
    #expect(server.requests.isEmpty)
  }
}
