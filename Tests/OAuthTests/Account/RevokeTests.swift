import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

struct RevokeTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private static let withEndpoint = JSON.object(Stage.provider + [.init("revocationEndpoint", "https://id.example/revoke")])

  @Test func bothTokensAreRevokedTheRefreshTokenFirst() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 400, body: #"{"error":"invalid_token"}"#)
    #expect(try await stage.accounts.revoke("a", requestID: nil).remote == .revoked)
    #expect(server.requests.map { $0.field("token") } == ["refresh-1", "access-1"])
    #expect(server.requests.map { $0.field("token_type_hint") } == ["refresh_token", "access_token"])
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked revoked"])
  }

  @Test func withoutAWayTheGrantIsForgottenAndNothingElseIsClaimed() async throws {
    try await stage.keep()
    #expect(try await stage.accounts.revoke("a", requestID: nil).remote == .unsupported)
    #expect(server.requests.isEmpty)
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked unsupported"])
  }

  @Test func aServerThatFailsKeepsTheGrant() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 503, body: "refresh-1 client-secret")
    let failure = await failureOf { try await stage.accounts.revoke("a", requestID: nil) }
    #expect(failure?.kind == .authorizationServerError && failure?.account == "a")
    #expect(await failureOf { try await stage.accounts.revoke("a", requestID: nil) }?.kind == .networkFailure)
    #expect(try stage.store.read("a") != nil)
    #expect(stage.told == [])
  }

  @Test func withoutAGrantThereIsNothingToRevoke() async {
    let failure = await failureOf { try await stage.accounts.revoke("unknown", requestID: nil) }
    #expect(failure?.kind == .signInRequired && failure?.account == "unknown" && failure?["reason"] == "noGrant")
    #expect(failure?.message == "no grant is stored for this account, so there is nothing to revoke")
  }

  @Test func signingOutSendsNothing() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    #expect(try await stage.accounts.signOut("a").wasKnown)
    #expect(try await stage.accounts.signOut("a").wasKnown == false)
    #expect(server.requests.isEmpty)
  }

  private static let rejected = #"{"error":"unsupported_token_type"}"#

  /// The provider decides whether a revoked access token also ends its refresh token (RFC 7009, 2.1).
  @Test func aRefreshTokenThatIsRejectedRemains() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 400, body: Self.rejected)
    server.add(body: "")
    let revocation = try await stage.accounts.revoke("a", requestID: nil)
    #expect(revocation.remote == .partial && revocation.remaining == [.refreshToken] && revocation.expiresAt == nil)
    #expect(try stage.store.read("a") == nil)
    #expect(stage.told == ["revoked partial"])
  }

  @Test func anAccessTokenThatIsRejectedRemainsUntilItEnds() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 400, body: Self.rejected)
    let revocation = try await stage.accounts.revoke("a", requestID: nil)
    #expect(revocation.remote == .partial && revocation.remaining == [.accessToken])
    #expect(revocation.expiresAt == stage.clock.now + 3600)
    #expect(try stage.store.read("a") == nil)
  }

  /// An expired token needs no revocation. A token without a known expiry may still be valid.
  @Test(arguments: [(-1, .revoked), (0, .revoked), (1, .partial), (nil, .partial)] as [(Int?, Revocation.Remote)])
  func anAccessTokenThatHasEnded(expiresIn: Int?, remote: Revocation.Remote) async throws {
    try await stage.keep(expiresIn: expiresIn) { $0.provider = Self.withEndpoint }
    server.add(body: "")
    server.add(status: 403, body: "")
    let revocation = try await stage.accounts.revoke("a", requestID: nil)
    #expect(revocation.remote == remote && revocation.remaining == (remote == .partial ? [.accessToken] : []))
    #expect(revocation.expiresAt == (remote == .partial ? expiresIn.map { stage.clock.now + $0 } : nil))
  }

  @Test func ifBothAreRejectedNothingWasRevoked() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 400, body: Self.rejected)
    server.add(status: 403, body: "")
    #expect(try await stage.accounts.revoke("a", requestID: nil) == Revocation())
    #expect(stage.told == ["revoked unsupported"])
  }

  /// The grant stays stored, so the revocation can be repeated when the server recovers.
  @Test func aServerThatFailsHalfwayKeepsTheGrant() async throws {
    try await stage.keep { $0.provider = Self.withEndpoint }
    server.add(status: 403, body: "")
    server.add(status: 503, body: "")
    #expect(await failureOf { try await stage.accounts.revoke("a", requestID: nil) }?.kind == .authorizationServerError)
    #expect(try stage.store.read("a") != nil && stage.told.isEmpty)
  }

  /// The provider's description names the one token that is revoked. It counts for the whole grant.
  @Test(arguments: ["access", "refresh"])
  func onlyTheDescribedTokenIsRevoked(which: String) async throws {
    try await stage.keep { grant in
      grant.provider = .object(
        Stage.provider + [.init("revocationEndpoint", "https://id.example/revoke"), .init("revocationToken", .string(which))])
    }
    server.add(body: "")
    #expect(try await stage.accounts.revoke("a", requestID: nil).remote == .revoked)
    #expect(server.requests.map { $0.field("token") } == ["\(which)-1"])
  }
}
