import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// The exchange of a sign-in's token for a long-lived one, and a sign-in whose exchange fails.
struct LongLivedTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  static let members: [JSON.Member] = [
    .init("longLivedEndpoint", "https://graph.example/long"), .init("longLivedMethod", "GET"), .init("longLivedGrantType", "x_exchange"),
    .init("longLivedTokenParameter", "short"), .init("refreshStyle", "accessToken"),
    .init("refreshGrantType", "x_refresh"), .init("refreshTokenParameter", "access_token"),
  ]

  private static let short = #"{"access_token":"short-1","expires_in":3600}"#
  private static let long = #"{"access_token":"long-1","expires_in":5184000}"#
  private static let exchange =
    "GET https://graph.example/long?grant_type=x_exchange&short=short-1&client_id=client&client_secret=client-secret"

  private func signIn(_ members: [JSON.Member] = members) async throws -> Authorization {
    let (prompt, state) = try await stage.begin(Stage.request(with: members))
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)&iss=https://id.example"))
    return try #require(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60))
  }

  private var lines: [String] { server.requests.map { "\($0.method) \($0.url)" } }
  private var failures: [OAuthFailure] {
    stage.facts.compactMap { event in
      if case .failed(let failure) = event.kind { failure } else { nil }
    }
  }

  @Test func theSignInEndsWithTheLongLivedToken() async throws {
    server.add(body: Self.short)
    server.add(body: Self.long)
    let authorization = try await signIn()
    #expect(authorization.via == .signedIn && authorization.expiresAt == 1_000_000 + 5_184_000 && authorization.canRefresh)
    #expect(lines == ["POST https://id.example/token", Self.exchange])
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.accessToken == Secret("long-1") && !grant.isShortLived && grant.grantedScopes == ["read"])
    #expect(stage.told == ["requested", "authorized signedIn"])
    // From then on it is refreshed as an ordinary token.
    server.add(body: #"{"access_token":"long-2","expires_in":5184000}"#)
    _ = try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil)
    #expect(server.requests.last?.field("grant_type") == "x_refresh" && server.requests.last?.field("access_token") == "long-1")
  }

  @Test func withoutAGrantTypeThereIsNoExchange() async throws {
    server.add(body: Self.short)
    _ = try await signIn([.init("refreshStyle", "accessToken")])
    #expect(lines.count == 1)
    #expect(try stage.store.read("a")?.isShortLived == false)
  }

  /// The login survives the failure, and the failure's message does not quote the token.
  @Test(arguments: [
    (503, "short-1 is busy", "is not available yet", true), (429, "", "is not available yet", true),
    (400, #"{"error":{"message":"short-1 of client-secret","type":"OAuthException","code":100}}"#, "was rejected", false),
    (400, #"{"error":"invalid_grant"}"#, "was rejected", false), (200, "{}", "was rejected", false),
  ])
  func anExchangeThatFailsKeepsTheShortToken(status: Int, body: String, words: String, isRetryable: Bool) async throws {
    server.add(body: Self.short)
    server.add(status: status, body: body)
    let authorization = try await signIn()
    #expect(authorization.via == .signedIn && authorization.expiresAt == 1_003_600)
    #expect(stage.told.suffix(2).last == "authorized signedIn" && failures.count == 1)
    let failure = try #require(failures.first)
    #expect(failure.message.contains(words) && failure.isRetryable == isRetryable && failure.account == "a")
    #expect(!"\(failure.message)\(failure.details)".contains("short-1") && !"\(failure.details)".contains("client-secret"))
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.accessToken == Secret("short-1") && grant.isShortLived && !grant.isRejected)
    // The next refresh repeats the exchange and sends no refresh request.
    server.add(body: Self.long)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil).refreshed)
    #expect(lines.last == Self.exchange)
    #expect(try stage.store.read("a")?.isShortLived == false)
  }

  @Test func theNextUseAsksAgain() async throws {
    server.add(body: Self.short)
    server.add { _ in .failure(.network(host: "graph.example", cause: "connect", answered: false)) }
    _ = try await signIn()
    server.add(status: 500, body: "")
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("short-1"))
    // The exchange is not repeated with every call.
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("short-1"))
    #expect(lines.count == 3)
    stage.clock.advance(300)
    server.add(body: Self.long)
    let (grant, refreshed) = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(grant.accessToken == Secret("long-1") && refreshed)
    #expect(lines.count == 4 && lines.last == Self.exchange)
  }

  @Test func anExpiredShortTokenIsNotExchanged() async throws {
    server.add(body: Self.short)
    server.add(status: 503, body: "")
    _ = try await signIn()
    stage.clock.advance(3600)
    #expect(await failureOf { try await stage.accounts.usableGrant("a", requestID: nil) }?["reason"] == "expired")
    #expect(lines.count == 2)
  }

  /// A refresh token replaces an expired short-lived token, and the new one is exchanged in turn.
  @Test func aRefreshTokenHelpsAnyTime() async throws {
    let members = Self.members.filter { !$0.name.hasPrefix("refresh") }
    server.add(body: #"{"access_token":"short-1","expires_in":3600,"refresh_token":"refresh-1"}"#)
    server.add(status: 503, body: "")
    _ = try await signIn(members)
    stage.clock.advance(3600)
    server.add(body: #"{"access_token":"short-2","expires_in":3600}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("short-2"))
    #expect(server.requests.last?.field("refresh_token") == "refresh-1")
    server.add(body: Self.long)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("long-1"))
    #expect(lines.last?.contains("short=short-2") == true)
  }

  /// The code is spent by then, so its token is stored during the exchange.
  @Test func theShortTokenIsKeptBeforeTheExchange() async throws {
    let store = MemoryStore()
    let seen = Mutex<Secret?>(nil)
    let server = Server { request in
      guard request.url.hasPrefix("https://graph.example/") else { return .json(Self.short) }
      seen.withLock { $0 = store.read("a")?.accessToken }
      return .json(Self.long)
    }
    let stage = Stage(server, store: store)
    let (prompt, state) = try await stage.begin(Stage.request(with: Self.members))
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)&iss=https://id.example"))
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
    #expect(seen.withLock { $0 } == Secret("short-1") && store.read("a")?.accessToken == Secret("long-1"))
  }

  @Test func aTypedCodesTokenIsExchangedToo() async throws {
    server.add(body: DeviceFlowTests.codes)
    server.add(body: Self.short)
    server.add(body: Self.long)
    let prompt = try #require(try await stage.accounts.authorize(DeviceFlowTests.request(Self.members)).signIn)
    try await stage.clock.pauses(atLeast: 2)
    stage.clock.advance(2)
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
    #expect(try stage.store.read("a")?.accessToken == Secret("long-1"))
  }

  @Test func theDryRunShowsIt() async throws {
    let dryRun = try await stage.accounts.dryRun(Stage.request(with: Self.members)).dryRun
    let step = try #require(dryRun.steps.first { $0.name == "longLived" })
    #expect(step.url.hasSuffix("/long?grant_type=x_exchange&short=ACCESS_TOKEN&client_id=client&client_secret=CLIENT_SECRET"))
    // There is no refresh token to revoke.
    let taken = Self.members + [.init("revocationEndpoint", "https://id.example/revoke")]
    let steps = try await stage.accounts.dryRun(Stage.request(with: taken)).dryRun.steps
    #expect(steps.filter { $0.name == "revocation" }.map { $0.body?.contains("token_type_hint=access_token") } == [true])
    #expect(server.requests.isEmpty)
  }

  /// The exchange also receives the secret, so its endpoint counts as a place for secrets.
  @Test func anotherExchangeIsAnotherPlaceForTheSecret() throws {
    let here = try Provider.described(#"{"longLivedGrantType":"x","longLivedEndpoint":"https://id.example/long"}"#)
    let there = try Provider.described(#"{"longLivedGrantType":"x","longLivedEndpoint":"https://evil.example/long"}"#)
    #expect(here.sendsSecretsNowhereElse(than: try .described()) && !there.sendsSecretsNowhereElse(than: here))
  }
}
