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
    #expect(try await stage.accounts.revoke("a", cause: nil).remote == .revoked)
    #expect(server.requests.map { $0.field("token") } == ["refresh-1", "access-1"])
    #expect(server.requests.map { $0.field("token_type_hint") } == ["refresh_token", "access_token"])
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked revoked"])
  }

  @Test func withoutAWayTheGrantIsForgottenAndNothingElseIsClaimed() async throws {
    try await stage.keep()
    #expect(try await stage.accounts.revoke("a", cause: nil).remote == .unsupported)
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

  @Test func whereNothingIsKeptThereIsNothingToRevoke() async {
    let failure = await failureOf { try await stage.accounts.revoke("nobody", cause: nil) }
    #expect(failure?.kind == .signInRequired && failure?.account == "nobody" && failure?["reason"] == "noGrant")
    #expect(failure?.message == "nothing is kept for this account, so there is nothing to revoke")
  }

  @Test func whoSignsOutTellsNobody() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    #expect(try await stage.accounts.signOut("a").wasKnown)
    #expect(try await stage.accounts.signOut("a").wasKnown == false)
    #expect(server.requests.isEmpty)
  }

  private static let refused = #"{"error":"unsupported_token_type"}"#

  /// What an access token that was taken back does to its refresh token is the provider's affair (RFC 7009, 2.1).
  @Test func aRefreshTokenThatIsRefusedRemains() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 400, body: Self.refused)
    server.add(body: "")
    let revocation = try await stage.accounts.revoke("a", cause: nil)
    #expect(revocation.remote == .partial && revocation.remaining == [.refreshToken] && revocation.expiresAt == nil)
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked partial"])
  }

  @Test func anAccessTokenThatIsRefusedRemainsUntilItEnds() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 400, body: Self.refused)
    let revocation = try await stage.accounts.revoke("a", cause: nil)
    #expect(revocation.remote == .partial && revocation.remaining == [.accessToken])
    #expect(revocation.expiresAt == stage.clock.now + 3600)
    #expect(try stage.store.read("a") == nil)
  }

  /// One that has ended is nobody's any more; one of which nobody said when it ends may live on.
  @Test(arguments: [(-1, .revoked), (0, .revoked), (1, .partial), (nil, .partial)] as [(Int?, Revocation.Remote)])
  func anAccessTokenThatHasEnded(expiresIn: Int?, remote: Revocation.Remote) async throws {
    try await stage.keep(expiresIn: expiresIn) { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 403, body: "")
    let revocation = try await stage.accounts.revoke("a", cause: nil)
    #expect(revocation.remote == remote && revocation.remaining == (remote == .partial ? [.accessToken] : []))
    #expect(revocation.expiresAt == (remote == .partial ? expiresIn.map { stage.clock.now + $0 } : nil))
  }

  @Test func whereBothAreRefusedNothingWasTakenBack() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 400, body: Self.refused)
    server.add(status: 403, body: "")
    #expect(try await stage.accounts.revoke("a", cause: nil) == Revocation())
    #expect(stage.told == ["revoked unsupported"])
  }

  /// A grant that is kept can be tried again: the server that fails may come back.
  @Test func aServerThatFailsHalfwayKeepsTheGrant() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 403, body: "")
    server.add(status: 503, body: "")
    #expect(await failureOf { try await stage.accounts.revoke("a", cause: nil) }?.kind == .authorizationServerError)
    #expect(try stage.store.read("a") != nil && stage.told.isEmpty)
  }

  /// Which of them the provider's description has told stands for the grant.
  @Test(arguments: ["access", "refresh"])
  func aTokenThatIsNotToldIsNotRefused(which: String) async throws {
    try await stage.keep { grant in
      grant.provider = .object(
        Stage.provider + [.init("revocationEndpoint", "https://id.example/revoke"), .init("revocationToken", .string(which))])
    }
    server.add(body: "")
    #expect(try await stage.accounts.revoke("a", cause: nil).remote == .revoked)
    #expect(server.requests.map { $0.field("token") } == ["\(which)-1"])
  }
}
