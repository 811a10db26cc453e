import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Tokens that can only be renewed while they are valid: renewed ahead of expiry, and still used if that fails.
struct RenewalAheadTests {
  private let server = PreparedResponses()
  private let stage: Stage
  private static let day = 86_400

  init() {
    stage = Stage(server)
    // Tokens issued weeks ago must have a time after 1970.
    stage.clock.advance(100 * Self.day)
  }

  private static let members: [JSON.Member] = [
    .init("refreshStyle", "accessToken"), .init("refreshTokenParameter", "access_token"), .init("renewWithin", .integer(30 * day)),
  ]
  private static let fresh = #"{"access_token":"access-2","expires_in":5184000}"#

  /// Stores a token with a lifetime of `life` days that was issued `age` days ago.
  private func keep(life: Int = 60, age: Int, members: [JSON.Member] = members, refreshToken: String? = nil) async throws {
    try await stage.keep(refreshToken: refreshToken) { grant in
      grant.provider = .object(Stage.provider + members)
      grant.issuedAt = stage.clock.now - age * Self.day
      grant.expiresAt = grant.issuedAt + life * Self.day
    }
  }

  private var request: AuthorizationInput {
    var request = Stage.request(with: Self.members)
    request.interaction = .never
    return request
  }

  @Test func beforeItsTimeATokenIsLeftAlone() async throws {
    try await keep(age: 29)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    #expect(try await stage.accounts.authorize(request).via == .stored)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
    #expect(server.requests.isEmpty)
  }

  @Test func usingTheTokenRenewsIt() async throws {
    try await keep(age: 30)
    server.add(body: Self.fresh)
    let (grant, refreshed) = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(grant.accessToken == Secret("access-2") && refreshed && grant.expiresAt == stage.clock.now + 60 * Self.day)
    #expect(server.requests.map { $0.field("access_token") } == ["access-1"])
    #expect(stage.told == ["refreshed"])
    // The new token is not yet due.
    stage.clock.advance(Self.day)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
  }

  @Test func soDoesAuthorize() async throws {
    try await keep(age: 59)
    server.add(body: Self.fresh)
    let authorization = try await stage.accounts.authorize(request)
    #expect(authorization.via == .refreshed && authorization.expiresAt == stage.clock.now + 60 * Self.day)
    #expect(stage.told == ["refreshed", "authorized refreshed"])
  }

  @Test func soDoesRefresh() async throws {
    try await keep(age: 45)
    server.add(body: Self.fresh)
    let (authorization, refreshed) = try await stage.accounts.refresh("a", validity: 60, force: false, requestID: nil)
    #expect(refreshed && authorization.via == .refreshed)
  }

  @Test func soDoACallAndARequestOfTheClientsOwn() async throws {
    try await keep(age: 45)
    server.add(body: Self.fresh)
    server.add(body: "{}")
    var call = APIRequest(account: "a", url: "x")
    #expect(try await APICall(accounts: stage.accounts, request: call) { _ in true }.run().refreshed)
    #expect(server.requests.last?.header("Authorization") == "Bearer access-2")
    try await keep(age: 45)
    stage.clock.advance(300)
    server.add(body: #"{"access_token":"access-3","expires_in":5184000}"#)
    call.method = "POST"
    let own = try await APICall(accounts: stage.accounts, request: call) { _ in true }.authorized(body: nil)
    #expect(own.header("Authorization") == "Bearer access-3")
  }

  @Test func oneOfManyRenewsIt() async throws {
    try await keep(age: 45)
    server.add(body: Self.fresh)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await stage.accounts.usableGrant("a", requestID: nil) } }
      try await group.waitForAll()
    }
    #expect(server.requests.count == 1)
  }

  /// A valid token is used whatever the renewal returns. The provider is not asked with every call.
  @Test(arguments: [
    (503, ""), (400, #"{"error":"invalid_grant","error_description":"no access-1"}"#), (400, ""), (200, "{}"), (302, ""),
  ])
  func aFailedRenewalKeepsTheToken(status: Int, body: String) async throws {
    try await keep(age: 45)
    for _ in 0..<2 { server.add(status: status, body: body) }
    for _ in 0..<3 { #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-1")) }
    #expect(try await stage.accounts.authorize(request).via == .stored)
    #expect(server.requests.count == 1)
    stage.clock.advance(299)
    #expect(try await stage.accounts.refresh("a", validity: 60, force: false, requestID: nil).refreshed == false)
    #expect(server.requests.count == 1)
    stage.clock.advance(1)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    #expect(server.requests.count == 2)
    // Setting the clock back does not delay the next attempt.
    stage.clock.setBack(1000)
    server.add(body: Self.fresh)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed)
    #expect(stage.told.filter { $0.hasPrefix("failed") }.count == 2)
    for case .failed(let failure) in stage.facts.map(\.kind) {
      #expect(failure.message.hasPrefix("the access token could not be renewed early") && failure.account == "a")
      #expect(!"\(failure.message)\(failure.details)".contains("access-1"))
    }
  }

  /// A caller that needs a new token now does not share the failure of a renewal ahead of expiry.
  @Test func aFailureIsNotSharedWithAnUrgentCaller() async throws {
    let gate = Promise<HTTPResponse>()
    let count = EventCount()
    let server = Server { _ throws(HTTPFailure) in
      count.add()
      do {
        return try await gate.value()
      } catch {
        throw .cancelled
      }
    }
    let stage = Stage(server)
    try await stage.keep(refreshToken: nil) { grant in
      grant.provider = .object(Stage.provider + Self.members)
      grant.issuedAt -= 7200
    }
    let early = Task { try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken }
    #expect(await soon { count.value == 1 })
    let late = Task { await failureOf { try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil) } }
    #expect(await soon { stage.accounts["a"].life.refresh.running?.promise.waiting == 2 })
    gate.settle(.success(.json(#"{"error":"invalid_grant"}"#, status: 400)))
    #expect(try await early.value == Secret("access-1"))
    #expect(await late.value?["reason"] == "refreshRefused")
    #expect(count.value == 2)
  }

  /// Some responses return a token that expires with the old one. A new token must not be due at once.
  @Test func noRenewalInTheFirstHalfOfTheLifetime() async throws {
    try await keep(life: 20, age: 9)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    try await keep(life: 20, age: 10)
    server.add(body: #"{"access_token":"access-2","expires_in":864000}"#)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed)
    stage.clock.advance(4 * Self.day)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    #expect(server.left == 0)
  }

  @Test func whatCannotBeRenewedIsNotTried() async throws {
    try await keep(age: 45, members: [])
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    try await keep(age: 45)
    try await stage.keep(refreshToken: nil) { grant in
      grant.provider = .object(Stage.provider + Self.members)
      grant.expiresAt = nil
    }
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed == false)
    #expect(server.requests.isEmpty)
  }

  @Test func aRefreshTokenMayBeUsedAheadAsWell() async throws {
    try await keep(age: 45, members: [.init("renewWithin", .integer(30 * Self.day))], refreshToken: "refresh-1")
    server.add(body: Self.fresh)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).refreshed)
    #expect(server.requests.last?.field("refresh_token") == "refresh-1")
  }

  @Test func aNewTokenThatTheDiskRejectsIsStillUsed() async throws {
    let store = StubbornStore()
    let stage = Stage(server, store: store)
    try await stage.keep(refreshToken: nil) { grant in
      grant.provider = .object(Stage.provider + Self.members)
      grant.expiresAt = grant.issuedAt + 1000
      grant.issuedAt -= 4000
    }
    store.reject(true)
    server.add(body: Self.fresh)
    #expect(try await stage.accounts.usableGrant("a", requestID: nil).grant.accessToken == Secret("access-2"))
    #expect(stage.told == ["failed storageFailure"])
  }

  @Test(arguments: ["facebook", "instagram", "threads"])
  func presetsWithoutRefreshTokensRenewAccessTokens(name: String) throws {
    let provider = try ProviderCatalog.builtIn.resolve(.preset(name))
    #expect(provider.token.renewWithin == 30 * Self.day && provider.longLived.longLivedGrantType != nil)
  }

  /// A preset whose tokens renew themselves must say when to renew.
  @Test(arguments: ProviderCatalog.builtIn.names)
  func presetsThatRenewByAccessTokenSayWhen(name: String) throws {
    let members = JSON.object(try #require(try ProviderCatalog.builtIn.description(of: name)))
    #expect((members["refreshStyle"] == "accessToken") == (members["renewWithin"] != nil))
  }
}
