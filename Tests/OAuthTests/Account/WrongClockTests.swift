import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Grants whose time of issue lies in the future, because the clock was set back.
struct WrongClockTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  @Test(arguments: [(0, true), (300, true), (301, false), (86_400, false)])
  func aTokenOfTheFutureIsNotValid(lead: Int, isValid: Bool) async throws {
    try await stage.keep { $0.issuedAt += lead }
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.isValid(at: stage.clock.clock.instant) == isValid)
    #expect(grant.isValid(for: .seconds(0), at: stage.clock.clock.instant) == isValid)
  }

  @Test func itIsRefreshedOnceWhileTheClockStaysWrong() async throws {
    try await stage.keep(expiresIn: 90_000) { $0.issuedAt += 86_400 }
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    for _ in 0..<3 {
      #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
    }
    #expect(try await stage.accounts.authorize(Stage.request()).via == .stored)
    #expect(server.requests.count == 1)
  }

  /// The refresh fails for a while. The token is then used, because its service may accept it.
  @Test func anOutageKeepsItInUse() async throws {
    try await stage.keep(expiresIn: 90_000) { $0.issuedAt += 86_400 }
    server.add(status: 503, body: "")
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-1"))
  }

  @Test func withoutARefreshItStaysInUse() async throws {
    try await stage.keep(expiresIn: 90_000, refreshToken: nil) { $0.issuedAt += 86_400 }
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-1"))
    #expect(server.requests.isEmpty)
  }

  /// A token for exchange is not yet the account's long-lived one, which alone can be refreshed.
  @Test func aTokenForExchangeIsStillExchanged() async throws {
    try await stage.keep(expiresIn: 90_000, refreshToken: nil) { grant in
      let exchange: [JSON.Member] = [
        .init("longLivedGrantType", "x_exchange"), .init("refreshStyle", "accessToken"), .init("refreshGrantType", "x_refresh"),
      ]
      grant.provider = .object(ProviderCatalog.merge(exchange, over: Stage.provider))
      grant.isShortLived = true
      grant.issuedAt += 86_400
    }
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
    #expect(server.requests.first?.field("grant_type") == "x_exchange")
  }
}
