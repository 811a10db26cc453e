import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A missing refresh token is asked for once more with a second page, and never a third time.
struct ConsentRetryTests {
  private let identity: IdentityStage

  init() throws {
    identity = try IdentityStage()
    identity.issuer.set { $0.tokenMembers = [.init("expires_in", 3600)] }
  }

  private static let google: [JSON.Member] = [
    .init("authorizationParameters", ["access_type": "offline"]), .init("consentRetry", ["prompt": "consent"]),
  ]

  private static func request(parameters: [(String, String)] = [], with members: [JSON.Member] = google) -> AuthorizationInput {
    var request = IdentityStage.request(with: members)
    request.parameters = NamedValues(parameters.map { (name: $0.0, value: $0.1) })
    return request
  }

  private var prompts: [SignInPrompt] {
    identity.stage.facts.compactMap { event in
      if case .signInRequested(let prompt) = event.kind { prompt } else { nil }
    }
  }

  /// Delivers the first redirect and returns the second page, if there is one.
  private func first(_ request: AuthorizationInput = request()) async throws -> SignInPrompt? {
    let (prompt, _) = try await identity.stage.begin(request)
    try await identity.deliver(prompt.url)
    return prompts.count == 2 ? prompts[1] : nil
  }

  @Test func askedForOnceMore() async throws {
    let second = try #require(try await first())
    #expect(second.id == prompts[0].id && second.reason == .refreshTokenMissing && prompts[0].reason == nil)
    #expect(Stage.parameter("prompt", of: second.url) == "consent")
    #expect(Stage.parameter("access_type", of: second.url) == "offline")
    #expect(Stage.parameter("state", of: second.url) != Stage.parameter("state", of: prompts[0].url))
    #expect(Stage.parameter("nonce", of: second.url) != Stage.parameter("nonce", of: prompts[0].url))
    // The tokens of the first page are stored meanwhile and can be used.
    #expect(try identity.grant?.accessToken == Secret("access-1"))
    identity.issuer.set { $0.tokenMembers = [.init("refresh_token", "refresh-1")] }
    try await identity.deliver(second.url)
    let authorization = try #require(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5))
    #expect(authorization.canRefresh && authorization.via == .signedIn)
    #expect(try identity.grant?.accessToken == Secret("access-2"))
    #expect(identity.stage.told == ["requested", "requested", "authorized signedIn"])
  }

  @Test func neverTwice() async throws {
    let second = try #require(try await first())
    try await identity.deliver(second.url)
    let authorization = try #require(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5))
    #expect(!authorization.canRefresh && prompts.count == 2)
  }

  /// However the second page ends, the user has signed in with the first.
  @Test func aSecondRejectionLosesNothing() async throws {
    let second = try #require(try await first())
    let state = Stage.parameter("state", of: second.url) ?? ""
    #expect(try await identity.stage.accounts.handleRedirect("app.example:/callback?error=access_denied&state=\(state)"))
    let authorization = try #require(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5))
    #expect(authorization.via == .signedIn && authorization.subject == "user-1")
    #expect(try identity.grant?.accessToken == Secret("access-1"))
    #expect(identity.stage.told == ["requested", "requested", "failed accessDenied", "authorized signedIn"])
  }

  @Test func anotherUserInTheSecondRoundLosesNothing() async throws {
    let second = try #require(try await first())
    identity.issuer.set { $0.claims = [.init("sub", "user-2")] }
    try await identity.deliver(second.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5)?.subject == "user-1")
    #expect(try identity.grant?.subject == "user-1")
  }

  @Test func anUnfinishedSecondPageLosesNothing() async throws {
    let second = try #require(try await first())
    await identity.stage.accounts.signIns.abandon(all: true)
    let authorization = try #require(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5))
    #expect(authorization.via == .signedIn && !authorization.canRefresh)
    #expect(identity.stage.told == ["requested", "requested", "abandoned ended", "authorized signedIn"])
  }

  @Test func aSecondPageHasATimeOfItsOwn() async throws {
    var request = Self.request()
    request.timeout = 1
    let second = try #require(try await first(request))
    let waiting = Task { try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5) }
    #expect(await soon { identity.stage.awaiting == 1 })
    try await identity.stage.clock.pauses(atLeast: 2)
    identity.stage.clock.advance(1)
    #expect(try await waiting.value?.via == .signedIn)
    #expect(identity.stage.told.contains("abandoned timedOut"))
  }

  /// A repeated redirect of the first page is not handled, and does not end the second page.
  @Test func theFirstRedirectCannotComeAgain() async throws {
    let second = try #require(try await first())
    let state = Stage.parameter("state", of: prompts[0].url) ?? ""
    #expect(try await identity.stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)") == false)
    try await identity.deliver(second.url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: second.id, timeout: 5) != nil)
  }

  /// The same redirect arrives twice: the second is claimed during the first one's exchange, and is received when the next page is open.
  @Test func aRedirectThatWasClaimedTooEarlyIsHarmless() async throws {
    let (prompt, state) = try await identity.stage.begin(Self.request())
    let parameters = [RedirectParameter(name: "code", value: "code-1"), RedirectParameter(name: "state", value: state)]
    let claimed = try #require(identity.stage.accounts.signIns.openSignIn(for: parameters))
    try await identity.deliver(prompt.url)
    let asked = identity.issuer.requests.count
    guard case .unfinished = try await claimed.receive(parameters) else {
      Issue.record("the second page accepted it")
      return
    }
    #expect(identity.issuer.requests.count == asked)
    identity.issuer.set { $0.tokenMembers = [.init("refresh_token", "refresh-1")] }
    try await identity.deliver(try #require(prompts.last).url)
    #expect(try await identity.stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.canRefresh == true)
  }

  @Test func notWhereTheDescriptionDoesNotSaySo() async throws {
    #expect(try await first(Self.request(with: [.init("authorizationParameters", ["access_type": "offline"])])) == nil)
  }

  @Test(arguments: [[("access_type", "online")], [("prompt", "consent")]])
  func notWhereTheCallerWantsItOtherwise(parameters: [(String, String)]) async throws {
    #expect(try await first(Self.request(parameters: parameters)) == nil)
    #expect(identity.stage.told == ["requested", "authorized signedIn"])
  }

  @Test func anotherPromptOfTheCallerIsReplaced() async throws {
    let second = try #require(try await first(Self.request(parameters: [("prompt", "select_account"), ("hd", "id.example")])))
    #expect(Stage.parameter("prompt", of: second.url) == "consent" && Stage.parameter("hd", of: second.url) == "id.example")
  }

  /// Google gives a refresh token only with the first consent. The stored refresh token of the same user remains valid.
  @Test func aRefreshTokenThatIsKeptNeedsNoRetry() async throws {
    identity.issuer.set { $0.tokenMembers = [.init("refresh_token", "refresh-1"), .init("refresh_token_expires_in", 5000)] }
    try await identity.signIn(Self.request())
    identity.issuer.set { $0.tokenMembers = [] }
    var again = Self.request()
    again.interaction = .always
    let authorization = try await identity.signIn(again)
    #expect(authorization.canRefresh)
    let grant = try #require(try identity.grant)
    #expect(
      grant.accessToken == Secret("access-2") && grant.refreshToken == Secret("refresh-1") && grant.refreshTokenExpiresAt == 1_005_000)
    #expect(prompts.count == 2 && prompts[1].reason == nil)
  }

  @Test func anotherUsersRefreshTokenIsNotKept() async throws {
    identity.issuer.set { $0.tokenMembers = [.init("refresh_token", "refresh-1")] }
    try await identity.signIn(Self.request())
    identity.issuer.set { state in
      state.tokenMembers = []
      state.claims = [.init("sub", "user-2")]
    }
    var again = Self.request(with: [])
    again.interaction = .always
    #expect(try await identity.signIn(again).canRefresh == false)
  }

  @Test func thePresetOfGoogleSaysSo() throws {
    let google = try ProviderCatalog.builtIn.resolve(.preset("google"))
    #expect(google.request.consentRetry["prompt"] == "consent")
    #expect(google.reasons["consentRetry"] != nil)
  }
}
