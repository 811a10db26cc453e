import Jansson
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Store

/// What is decided about a grant, for each kind of use.
struct TokenUseTests {
  private static let now = 1_000_000

  private enum Decision: String { case enough, due, dueForIDToken, refresh, forced, signIn, ended }

  private static func grant(left: Int? = 3600, refreshToken: String? = "r", _ change: (inout Grant) -> Void = { _ in }) -> Grant {
    var grant = Grant(
      account: "a", provider: .object(Stage.provider), client: Client(id: "client", secret: Secret("client-secret")),
      accessToken: Secret("t"), tokenType: "Bearer", issuedAt: now - 10)
    (grant.grantedScopes, grant.generation, grant.refreshToken) = (["read"], 3, refreshToken.map(Secret.init))
    grant.expiresAt = left.map { now + $0 }
    change(&grant)
    return grant
  }

  private static func decision(_ verdict: (Instant) throws(OAuthFailure) -> TokenUse.Verdict) -> Decision {
    switch Result(catching: { () throws(OAuthFailure) in try verdict(Instant(seconds: now)) }) {
    case .success(.enough): .enough
    case .success(.due(let reason)): reason.isAhead ? .due : .dueForIDToken
    case .success(.refresh(let reason)): reason.force ? .forced : .refresh
    case .success(.signIn): .signIn
    case .failure: .ended
    }
  }

  private static let idToken: @Sendable (inout Grant) -> Void = { grant in
    // {"exp":1000030}
    (grant.idToken, grant.idTokenExpiresAt, grant.issuedAt) = (Secret("e30.eyJleHAiOjEwMDAwMzB9.s"), now + 30, now - 3600)
  }
  private static let goneIDToken: @Sendable (inout Grant) -> Void = { grant in
    // {"exp":999999}
    (grant.idToken, grant.idTokenExpiresAt) = (Secret("e30.eyJleHAiOjk5OTk5OX0.s"), now - 1)
  }

  private static let table: [(name: String, use: TokenUse, grant: Grant, decision: Decision)] = [
    ("a valid token", TokenUse(), grant(), .enough),
    ("one without an end", TokenUse(), grant(left: nil), .enough),
    ("an expired one", TokenUse(), grant(left: -1), .refresh),
    ("one that ends within a minute", TokenUse(), grant(left: 50) { $0.issuedAt -= 3600 }, .refresh),
    ("one that ends too soon for the caller", TokenUse(validity: .seconds(600)), grant(left: 500) { $0.issuedAt -= 3600 }, .refresh),
    ("one of which the caller wants more than half", TokenUse(validity: .seconds(600)), grant(left: 500), .enough),
    ("one that ends too soon for another program", TokenUse(validity: .handOut), grant(left: 200) { $0.issuedAt -= 3600 }, .due),
    ("one that nothing renews", TokenUse(validity: .handOut), grant(left: 200, refreshToken: nil) { $0.issuedAt -= 3600 }, .enough),
    ("a new one is wanted", TokenUse(force: true), grant(), .forced),
    ("it is to be exchanged for a long-lived one", TokenUse(), grant { $0.isShortLived = true }, .due),
    ("a marked grant", TokenUse(), grant { $0.isRejected = true }, .refresh),
    ("no ID token is wanted", TokenUse(), grant(idToken), .enough),
    ("an ID token that ends", TokenUse(idToken: .wanted), grant(idToken), .dueForIDToken),
    ("one that ends and is needed", TokenUse(idToken: .needed), grant(idToken), .dueForIDToken),
    ("one that has ended and is needed", TokenUse(idToken: .needed), grant(goneIDToken), .forced),
    ("none, and one is needed", TokenUse(idToken: .needed), grant(), .ended),
    ("an ended one without a refresh token", TokenUse(idToken: .needed), grant(refreshToken: nil, goneIDToken), .ended),
    ("`refresh` renews an ID token that ends", TokenUse(idToken: .renewed), grant(idToken), .refresh),
    ("`refresh` of a login without a token", TokenUse(idToken: .renewed), grant { $0.accessToken = nil }, .ended),
  ]

  @Test(arguments: table.indices) func aRowOfTheTable(row: Int) {
    let (name, use, grant, decision) = Self.table[row]
    #expect(Self.decision { now throws(OAuthFailure) in try use.verdict(on: grant, at: now) } == decision, "\(name)")
  }

  @Test func aSignInsPlanDecidesAboutMore() async throws {
    let stage = Stage(PreparedResponses())
    func expect(
      _ decision: Decision, _ grant: Grant, isMet: Bool = false, scopes: [String] = ["read"],
      _ change: (inout AuthorizationPlan) -> Void = { _ in }
    ) async throws {
      var plan = try await stage.plan(Stage.request(scopes: scopes))
      change(&plan)
      #expect(Self.decision { now throws(OAuthFailure) in try TokenUse.verdict(of: plan, on: grant, at: now) } == decision)
      #expect(plan.isMet(by: grant, at: Instant(seconds: Self.now)) == isMet)
    }
    try await expect(.enough, Self.grant(), isMet: true)
    try await expect(.due, Self.grant { $0.isShortLived = true }, isMet: true)
    try await expect(.signIn, Self.grant { $0.client = Client(id: "another") })
    try await expect(.ended, Self.grant { $0.isRejected = true })
    try await expect(.enough, Self.grant { $0.doubtedAt = 1 }, isMet: true)
    try await expect(.signIn, Self.grant { $0.doubtedAt = 1 }) { $0.request.isUserRequest = true }
    try await expect(.signIn, Self.grant(), scopes: ["read", "write"])
    try await expect(.forced, Self.grant { ($0.unknownScopes, $0.grantedScopes) = (.notRefreshedYet, []) })
    try await expect(.refresh, Self.grant(left: -1))
    try await expect(.signIn, Self.grant(left: -1, refreshToken: nil))
    try await expect(.enough, Self.grant()) { $0.expectedSubject = "another" }
  }
}
