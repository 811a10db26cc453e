import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A grant whose granted scopes are unknown: no scopes are invented, and the user is asked only if necessary.
struct ImportedScopesTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func request(_ scopes: [String]?) -> AuthorizationInput {
    var request = Stage.request(with: [.init("scopes", ["usual"])])
    request.scopes = scopes
    return request
  }

  private func keep(_ data: JSON, scopes: [String]? = nil) async throws -> Grant {
    let imported = try ImportFormat.json.read(data, issuedAt: nil, now: stage.clock.now)
    return try await stage.accounts.importGrant(imported, for: request(scopes), replaces: false)
  }

  @Test func grantedIsWhatTheResponseOrTheCallerSays() async throws {
    let unknown = try await keep(["access_token": "a"])
    #expect(unknown.grantedScopes == [] && unknown.unknownScopes == .notRefreshedYet)
    #expect(try stage.store.read("a") == unknown)
    try await stage.store.remove("a")
    let told = try await keep(["access_token": "a", "scope": "read write"], scopes: ["other"])
    #expect(told.grantedScopes == ["read", "write"] && told.unknownScopes == nil)
    try await stage.store.remove("a")
    let said = try await keep(["access_token": "a"], scopes: ["read"])
    #expect(said.grantedScopes == ["read"] && said.unknownScopes == nil)
  }

  @Test func aRequestWithoutScopesUsesTheGrant() async throws {
    _ = try await keep(["access_token": "a", "refresh_token": "r"])
    let authorization = try await stage.accounts.authorize(request(nil))
    #expect(authorization.via == .stored && authorization.missingScopes == [] && authorization.grantedScopes == [])
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [true, false])
  func aRefreshMayTell(adding: Bool) async throws {
    _ = try await keep(["access_token": "a", "refresh_token": "r"])
    server.add(body: #"{"access_token":"b","scope":"read mail"}"#)
    let asked = request(["mail"])
    let authorization = adding ? try await stage.accounts.addScopes(asked) : try await stage.accounts.authorize(asked)
    #expect(authorization.via == .refreshed && authorization.grantedScopes == ["read", "mail"])
    #expect(try stage.store.read("a")?.unknownScopes == nil)
    // The refresh did not name this scope, so it is asked for.
    #expect(try await stage.accounts.authorize(request(["write"])).signIn?.url.contains("scope=write") == true)
    #expect(server.requests.count == 1)
  }

  /// The refresh for unknown scopes happens once. A caller that only checks must not spend a refresh token each time.
  @Test func ifTheRefreshNamesNoScopesAPageIsNeeded() async throws {
    _ = try await keep(["access_token": "a", "refresh_token": "r"])
    server.add(body: #"{"access_token":"b"}"#)
    var never = request(["mail"])
    never.interaction = .never
    for _ in 0..<2 { #expect(await failureOf { try await stage.accounts.authorize(never) }?["reason"] == "scopesMissing") }
    #expect(server.requests.count == 1)
    #expect(try stage.store.read("a")?.accessToken == Secret("b"))
    #expect(try await stage.accounts.addScopes(request(["mail"])).signIn?.url.contains("scope=mail") == true)
  }

  @Test func withoutARefreshTokenAPageIsNeeded() async throws {
    _ = try await keep(["access_token": "a"])
    #expect(try await stage.accounts.authorize(request(["mail"])).signIn != nil)
    #expect(server.requests.isEmpty)
  }

  @Test func aRejectedRefreshIsReportedAsSuch() async throws {
    _ = try await keep(["access_token": "a", "refresh_token": "r"])
    server.add(status: 400, body: #"{"error":"invalid_grant"}"#)
    var never = request(["mail"])
    never.interaction = .never
    #expect(await failureOf { try await stage.accounts.authorize(never) }?["reason"] == "refreshRefused")
  }

  @Test func itGoesOutAndComesInUnknown() async throws {
    let grant = try await keep(["access_token": "a"])
    let answer = grant.tokenResponse(at: stage.clock.now)
    #expect(answer["scope"] == nil && answer[GrantFacts.member]?["grantedScopes"] == nil)
  }
}
