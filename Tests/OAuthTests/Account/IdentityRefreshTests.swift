import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Signatures
@testable import Store

/// Refreshes with and without an ID token (OpenID Connect Core, 12.2).
struct IdentityRefreshTests {
  private let identity: IdentityStage
  private var accounts: Accounts { identity.stage.accounts }

  init() async throws {
    identity = try IdentityStage()
    try await identity.signIn()
    identity.issuer.set { state in
      state.nonce = nil
      state.tokenMembers = [.init("refresh_token", "refresh-2"), .init("expires_in", 7200)]
    }
  }

  private func refresh(_ claims: [JSON.Member]?) async throws -> Grant? {
    identity.issuer.set { $0.claims = claims }
    _ = try await accounts.refresh("a", validity: 60, force: true, requestID: nil)
    return try identity.grant
  }

  @Test func aNewTokenTakesThePlaceOfTheOld() async throws {
    let before = try #require(try identity.grant)
    let grant = try #require(try await refresh([.init("exp", 1_009_000), .init("email", "new@id.example")]))
    #expect(grant.idToken != before.idToken && grant.idTokenExpiresAt == 1_009_000)
    #expect(grant.email == "new@id.example" && grant.subject == "user-1")
    #expect(grant.refreshToken == Secret("refresh-2") && grant.accessToken == Secret("access-2"))
    #expect(identity.stage.told.suffix(1) == ["refreshed, new token"])
    #expect(grant.generation > before.generation)
  }

  /// The other tokens are the account's, and the replaced refresh token must not be lost. Only the ID token is dropped, with an event.
  @Test(arguments: [
    [JSON.Member("aud", "another")], [.init("exp", 900_000)], [.init("iss", "https://evil.example")], [.init("nonce", "another")],
    [.init("at_hash", "AAAA")], [.init("sub", .null)],
  ])
  func anInvalidIDTokenIsLeftOut(claims: [JSON.Member]) async throws {
    let before = try #require(try identity.grant)
    let grant = try #require(try await refresh(claims))
    #expect(grant.accessToken == Secret("access-2") && grant.refreshToken == Secret("refresh-2"))
    #expect(grant.idToken == before.idToken && grant.subject == "user-1")
    #expect(identity.stage.told.suffix(2) == ["refreshed, new token", "failed responseUntrusted"])
  }

  @Test func aForgedTokenIsLeftOut() async throws {
    let stranger = try SigningKeys.stranger.get()
    identity.issuer.set { $0.signer = stranger }
    let grant = try #require(try await refresh([]))
    #expect(grant.refreshToken == Secret("refresh-2") && grant.idTokenExpiresAt == nil)
    #expect(identity.stage.told.last == "failed responseUntrusted")
  }

  /// Missing keys are no reason to lose the tokens that replace the old ones.
  @Test func withoutKeysTheTokensAreKept() async throws {
    identity.stage.clock.advance(CacheLifetime.usual)
    identity.issuer.set { $0.publishes = false }
    let grant = try #require(try await refresh([.init("exp", 1_090_000)]))
    #expect(grant.refreshToken == Secret("refresh-2") && grant.accessToken == Secret("access-2"))
    #expect(identity.stage.told.last == "failed authorizationServerError")
    #expect(identity.issuer.asked.suffix(2) == ["/token", "/keys"])
  }

  /// With another user's tokens, calls for this account would reach the API as that user.
  @Test func tokensOfAnotherUserAreRejected() async throws {
    let before = try #require(try identity.grant)
    let failure = await failureOf { try await refresh([.init("sub", "user-2")]) }
    #expect(failure?.kind == .responseUntrusted)
    #expect(failure?.account == "a")
    let grant = try #require(try identity.grant)
    #expect(grant.accessToken == before.accessToken && grant.refreshToken == before.refreshToken && grant.subject == "user-1")
    // The refresh is not repeated. The user has to sign in.
    #expect(grant.isRejected)
    #expect(!identity.stage.told.contains { $0.hasPrefix("refreshed") })
  }

  /// Some providers repeat the first nonce.
  @Test func theFirstNonceMayComeAgain() async throws {
    let first = try #require(try identity.grant?.idToken)
    let nonce = try #require(try IDToken(claims: JSONWebSignature(first).payload).nonce)
    let grant = try #require(try await refresh([.init("nonce", .string(nonce.value)), .init("exp", 1_005_000)]))
    #expect(grant.idTokenExpiresAt == 1_005_000)
  }

  /// After an hour the access token is valid and the ID token is expired.
  @Test func anIDTokenThatEndsIsAReasonToRefresh() async throws {
    _ = try await refresh([.init("exp", 1_003_600)])
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
    identity.stage.clock.advance(3539)
    #expect(try await accounts.usableGrant("a", withIDToken: true, requestID: nil).refreshed == false)
    identity.stage.clock.advance(1)
    // API calls need no ID token.
    #expect(try await accounts.usableGrant("a", requestID: nil).refreshed == false)
    #expect(try await accounts.authorize(IdentityStage.request()).via == .stored)
    identity.issuer.set { $0.claims = [.init("exp", 1_010_000)] }
    #expect(try await accounts.usableGrant("a", withIDToken: true, requestID: nil).refreshed)
    #expect(try identity.grant?.idTokenExpiresAt == 1_010_000)
    #expect(identity.issuer.state.withLock { $0.issued } == 3)
  }

  /// If refreshes return no ID token, the old one's expiry causes only one refresh.
  @Test func aProviderWithoutNewIDTokensIsNotAskedForEver() async throws {
    identity.issuer.set { $0.claims = nil }
    identity.stage.clock.advance(3545)
    #expect(try await accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed)
    for _ in 0..<3 {
      #expect(try await accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
      #expect(try await accounts.usableGrant("a", withIDToken: true, requestID: nil).refreshed == false)
    }
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
    #expect(try identity.grant?.idToken != nil)
  }

  /// An ID token with a very short lifetime would cause a refresh with every call.
  @Test func aShortIDTokenIsNoReason() async throws {
    _ = try await refresh([.init("exp", 1_000_100)])
    #expect(try await accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
  }

  /// The access token is valid, so it is returned although no new ID token is available. `refresh` reports the failure.
  @Test func anUnreachableProviderDoesNotWithholdAValidAccessToken() async throws {
    _ = try await refresh([.init("exp", 1_003_600)])
    identity.stage.clock.advance(3580)
    identity.issuer.set { $0.isDead = true }
    let live = try await accounts.usableGrant("a", withIDToken: true, requestID: nil)
    #expect(live.grant.accessToken == Secret("access-2") && !live.refreshed)
    #expect(await failureOf { try await accounts.refresh("a", validity: 60, force: false, requestID: nil) }?.kind == .networkFailure)
  }

  @Test func withoutARefreshTokenTheIDTokenIsLeftToEnd() async throws {
    var grant = try #require(try identity.grant)
    grant.refreshToken = nil
    grant.expiresAt = nil
    try await identity.stage.store.write(grant)
    identity.stage.clock.advance(5000)
    #expect(try await accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
    #expect(try await accounts.usableGrant("a", withIDToken: true, requestID: nil).refreshed == false)
  }

  /// Many calls wait at once, for either reason. One refresh serves all of them.
  @Test func callsQueueBehindOneRefresh() async throws {
    identity.stage.clock.advance(3545)
    identity.issuer.set { $0.claims = [.init("exp", 1_010_000)] }
    let accounts = accounts
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { _ = try await accounts.usableGrant("a", withIDToken: number % 2 == 0, requestID: nil) }
        group.addTask { _ = try await accounts.refresh("a", validity: 60, force: false, requestID: nil) }
      }
      try await group.waitForAll()
    }
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
  }
}
