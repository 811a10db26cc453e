import Jansson
import Testing

@testable import OAuth

/// ID tokens that come with refreshes, or do not (OpenID Connect Core, 12.2).
struct IdentityRefreshTests {
  private let identity: IdentityStage
  private var accounts: Accounts { identity.stage.accounts }

  init() async throws {
    identity = try IdentityStage()
    try await identity.signIn()
    identity.issuer.set { state in
      state.nonce = nil
      state.answer = [.init("refresh_token", "refresh-2"), .init("expires_in", 7200)]
    }
  }

  private func refresh(_ claims: [JSON.Member]?) async throws -> Grant? {
    identity.issuer.set { $0.claims = claims }
    _ = try await accounts.refresh("a", validity: 60, force: true, cause: nil)
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

  /// The tokens beside it are the account's, and the replaced refresh token must not be lost; the ID token is left out, and told of.
  @Test(arguments: [
    [JSON.Member("aud", "another")], [.init("exp", 900_000)], [.init("iss", "https://evil.example")], [.init("nonce", "another")],
    [.init("at_hash", "AAAA")], [.init("sub", .null)],
  ])
  func aTokenThatIsNotBelievedIsLeftOut(claims: [JSON.Member]) async throws {
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

  /// That the keys cannot be had is no reason to lose what was replaced.
  @Test func withoutKeysTheTokensAreKept() async throws {
    identity.stage.clock.advance(IssuerKeys.usualLifetime)
    identity.issuer.set { $0.publishes = false }
    let grant = try #require(try await refresh([.init("exp", 1_090_000)]))
    #expect(grant.refreshToken == Secret("refresh-2") && grant.accessToken == Secret("access-2"))
    #expect(identity.stage.told.last == "failed authorizationServerError")
    #expect(identity.issuer.asked.suffix(2) == ["/token", "/keys"])
  }

  /// Another user's tokens under this account would call the API as somebody else.
  @Test func tokensOfAnotherUserAreRefused() async throws {
    let before = try #require(try identity.grant)
    let failure = await failureOf { try await refresh([.init("sub", "user-2")]) }
    #expect(failure?.kind == .responseUntrusted)
    #expect(failure?.account == "a")
    let grant = try #require(try identity.grant)
    #expect(grant.accessToken == before.accessToken && grant.refreshToken == before.refreshToken && grant.subject == "user-1")
    // It is not tried for ever: somebody has to sign in.
    #expect(grant.isRefreshRefused)
    #expect(!identity.stage.told.contains { $0.hasPrefix("refreshed") })
  }

  /// The first nonce may come again, as it does from some providers.
  @Test func theFirstNonceMayComeAgain() async throws {
    let first = try #require(try identity.grant?.idToken)
    let nonce = try #require(try IDToken(claims: JSONWebSignature(first).payload).nonce)
    let grant = try #require(try await refresh([.init("nonce", .string(nonce.value)), .init("exp", 1_005_000)]))
    #expect(grant.idTokenExpiresAt == 1_005_000)
  }

  /// An hour on, the access token lives and the ID token does not.
  @Test func anIDTokenThatEndsIsAReasonToRefresh() async throws {
    _ = try await refresh([.init("exp", 1_003_600)])
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
    identity.stage.clock.advance(3539)
    #expect(try await accounts.live("a", withIDToken: true, cause: nil).refreshed == false)
    identity.stage.clock.advance(1)
    // What calls the API needs no ID token.
    #expect(try await accounts.live("a", cause: nil).refreshed == false)
    #expect(try await accounts.authorize(IdentityStage.request()).via == .stored)
    identity.issuer.set { $0.claims = [.init("exp", 1_010_000)] }
    #expect(try await accounts.live("a", withIDToken: true, cause: nil).refreshed)
    #expect(try identity.grant?.idTokenExpiresAt == 1_010_000)
    #expect(identity.issuer.state.withLock { $0.issued } == 3)
  }

  /// Where refreshes bring no ID token, the old one's end is a reason once.
  @Test func aProviderWithoutNewIDTokensIsNotAskedForEver() async throws {
    identity.issuer.set { $0.claims = nil }
    identity.stage.clock.advance(3545)
    #expect(try await accounts.refresh("a", validity: 60, force: false, cause: nil).refreshed)
    for _ in 0..<3 {
      #expect(try await accounts.refresh("a", validity: 60, force: false, cause: nil).refreshed == false)
      #expect(try await accounts.live("a", withIDToken: true, cause: nil).refreshed == false)
    }
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
    #expect(try identity.grant?.idToken != nil)
  }

  /// An ID token for the moment would have every call refresh.
  @Test func aShortIDTokenIsNoReason() async throws {
    _ = try await refresh([.init("exp", 1_000_100)])
    #expect(try await accounts.refresh("a", validity: 60, force: false, cause: nil).refreshed == false)
  }

  /// The access token lives: that no new ID token can be had is no reason to withhold it, but `refresh` says so.
  @Test func aDeadProviderDoesNotWithholdALivingAccessToken() async throws {
    _ = try await refresh([.init("exp", 1_003_600)])
    identity.stage.clock.advance(3580)
    identity.issuer.set { $0.isDead = true }
    let live = try await accounts.live("a", withIDToken: true, cause: nil)
    #expect(live.grant.accessToken == Secret("access-2") && !live.refreshed)
    #expect(await failureOf { try await accounts.refresh("a", validity: 60, force: false, cause: nil) }?.kind == .networkFailure)
  }

  @Test func withoutARefreshTokenTheIDTokenIsLeftToEnd() async throws {
    var grant = try #require(try identity.grant)
    grant.refreshToken = nil
    grant.expiresAt = nil
    try await identity.stage.store.write(grant)
    identity.stage.clock.advance(5000)
    #expect(try await accounts.refresh("a", validity: 60, force: false, cause: nil).refreshed == false)
    #expect(try await accounts.live("a", withIDToken: true, cause: nil).refreshed == false)
  }

  /// Many ask at once, for either reason; one refresh serves them.
  @Test func callsQueueBehindOneRefresh() async throws {
    identity.stage.clock.advance(3545)
    identity.issuer.set { $0.claims = [.init("exp", 1_010_000)] }
    let accounts = accounts
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { _ = try await accounts.live("a", withIDToken: number % 2 == 0, cause: nil) }
        group.addTask { _ = try await accounts.refresh("a", validity: 60, force: false, cause: nil) }
      }
      try await group.waitForAll()
    }
    #expect(identity.issuer.state.withLock { $0.issued } == 2)
  }
}
