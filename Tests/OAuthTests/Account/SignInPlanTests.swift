import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// What a sign-in requests besides what its request asks for, and which sign-ins do not begin.
struct SignInPlanTests {
  private static let device = JSON.Member("deviceAuthorizationEndpoint", "https://id.example/device")

  private func plan(
    _ members: [JSON.Member] = [], stored: Grant? = nil, _ change: (inout AuthorizationInput) -> Void = { _ in }
  ) throws -> AuthorizationPlan {
    var input = Stage.request(with: members)
    (input.redirectUri, input.openBrowser) = (nil, nil)
    change(&input)
    return try Planner(input: input, configured: nil, stored: stored, catalog: .builtIn).plan()
  }

  private func stored(_ change: (inout Grant) -> Void = { _ in }) -> Grant {
    var grant = Grant(
      account: "a", provider: .object(Stage.provider), client: Client(id: "client", secret: Secret("client-secret")),
      accessToken: Secret("t"), tokenType: "Bearer", issuedAt: 0)
    grant.grantedScopes = ["write"]
    change(&grant)
    return grant
  }

  private func signIn(_ plan: AuthorizationPlan, hasBrowser: Bool = true, at now: Int = 0) throws -> AuthorizationPlan {
    try plan.forSignIn(replacing: plan.stored, at: now, hasBrowser: hasBrowser)
  }

  @Test func grantedScopesAreRequestedAgain() throws {
    let grant = stored()
    #expect(try signIn(plan(stored: grant)).scopes == ["read", "write"])
    #expect(try signIn(plan(stored: grant) { $0.clientId = "other" }).scopes == ["read"])
    #expect(try signIn(plan([.init("tokenEndpoint", "https://other.example/t")], stored: grant)).scopes == ["read"])
  }

  @Test func addedScopesAreForTheGrantsOwnUser() throws {
    let grant = stored { ($0.subject, $0.idToken) = ("user-1", Secret("x.y.z")) }
    let added = try signIn(plan(stored: grant) { $0.purpose = .addScopes })
    #expect(added.expectedSubject == "user-1" && added.scopes == ["read", "write", "openid"])
    #expect(try signIn(plan(stored: grant)).expectedSubject == nil)
  }

  /// The device flow needs an endpoint, and neither a browser nor a client that opens the page or catches the redirect.
  @Test func theFlow() throws {
    let own = [Self.device]
    #expect(try signIn(plan(own), hasBrowser: false).usesDevice)
    #expect(try !signIn(plan(own), hasBrowser: true).usesDevice)
    #expect(try !signIn(plan(), hasBrowser: false).usesDevice)
    #expect(try !signIn(plan(own) { $0.clientOpensPages = true }, hasBrowser: false).usesDevice)
    #expect(try !signIn(plan(own) { $0.redirectUri = "app:/r" }, hasBrowser: false).usesDevice)
    #expect(try !signIn(plan(own) { $0.flow = .browser }, hasBrowser: false).usesDevice)
    #expect(try signIn(plan(own) { $0.flow = .device }).usesDevice)
    #expect(throws: OAuthFailure.self) { try signIn(plan { $0.flow = .device }) }
  }

  @Test func aTokenForTheClientNeedsASecret() throws {
    #expect(try signIn(plan { $0.flow = .clientCredentials }).isForClient)
    let withoutSecret = #expect(throws: FieldError.self) {
      try signIn(plan { ($0.flow, $0.credentials.secret) = (.clientCredentials, nil) })
    }
    #expect(withoutSecret?.path == "/clientSecret")
    let endpoint = JSON.Member("registrationEndpoint", "https://id.example/register")
    let registering = #expect(throws: FieldError.self) {
      try signIn(plan([endpoint]) { ($0.flow, $0.clientId) = (.clientCredentials, nil) })
    }
    #expect(registering?.path == "/clientId")
  }

  /// The secret is needed when the sign-in ends.
  @Test(arguments: [(700, true), (701, false)])
  func aRegisteredClientWhoseSecretExpiresIsNotUsedAgain(now: Int, isUsed: Bool) throws {
    let members = [JSON.Member("registrationEndpoint", "https://id.example/register")]
    let grant = stored {
      $0.provider = .object(Stage.provider + members)
      ($0.isClientRegistered, $0.clientSecretExpiresAt, $0.redirectUri) = (true, 1000, "app:/r")
      $0.grantedScopes = ["read"]
    }
    let asked = try signIn(plan(members, stored: grant) { ($0.clientId, $0.credentials.secret) = (nil, nil) }, at: now)
    #expect(asked.reusesClient(for: "app:/r") == isUsed)
  }

  /// A rejected refresh can mark the registered client as forgotten while the request is served.
  @Test func aClientThatTheServerHasForgottenIsNotUsedAgain() throws {
    let members = [JSON.Member("registrationEndpoint", "https://id.example/register")]
    var grant = stored {
      $0.provider = .object(Stage.provider + members)
      ($0.isClientRegistered, $0.redirectUri, $0.grantedScopes) = (true, "app:/r", ["read"])
    }
    let asked = try plan(members, stored: grant) { ($0.clientId, $0.credentials.secret) = (nil, nil) }
    #expect(try signIn(asked).reusesClient(for: "app:/r"))
    grant.isClientForgotten = true
    #expect(try !asked.forSignIn(replacing: grant, at: 0, hasBrowser: true).reusesClient(for: "app:/r"))
  }
}
