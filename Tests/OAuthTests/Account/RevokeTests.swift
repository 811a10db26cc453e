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
}
