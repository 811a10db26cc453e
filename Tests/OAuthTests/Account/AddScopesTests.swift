import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Adds scopes to a grant, which asks for consent once more.
struct AddScopesTests {
  private let identity: IdentityStage
  private var accounts: Accounts { identity.stage.accounts }

  init() throws { identity = try IdentityStage() }

  private func add(_ scopes: [String]) -> AuthorizationInput {
    var request = AuthorizationInput()
    request.account = "a"
    request.scopes = scopes
    request.redirectUri = "app.example:/callback"
    request.opensBrowser = false
    request.waits = false
    return request
  }

  /// Adds scopes, and signs in if a page is needed.
  private func conclude(_ request: AuthorizationInput) async throws -> Authorization? {
    let pending = try await accounts.addScopes(request)
    guard let prompt = pending.signIn else { return pending }
    try await identity.deliver(prompt.url)
    return try await accounts.awaitSignIn(id: prompt.id, timeout: 5)
  }

  @Test func theUnionIsAskedForWithAHint() async throws {
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "openid read")) }
    try await identity.signIn()
    let prompt = try #require(try await accounts.addScopes(add(["write", "read"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "write read openid")
    #expect(Stage.parameter("login_hint", of: prompt.url) == "user@id.example")
    #expect(Stage.parameter("client_id", of: prompt.url) == "client")
    identity.issuer.set { $0.tokenMembers = [.init("refresh_token", "refresh-2"), .init("scope", "openid read write")] }
    try await identity.deliver(prompt.url)
    let authorization = try #require(try await accounts.awaitSignIn(id: prompt.id, timeout: 5))
    #expect(authorization.grantedScopes == ["openid", "read", "write"] && authorization.missingScopes.isEmpty)
    #expect(try identity.grant?.refreshToken == Secret("refresh-2"))
  }

  @Test func successAtOnceWhereNothingIsMissing() async throws {
    try await identity.signIn()
    let authorization = try await accounts.addScopes(add(["read"]))
    #expect(authorization.via == .stored)
    #expect(identity.stage.told == ["requested", "authorized signedIn", "authorized stored"])
  }

  /// `authorize` does not ask for declined scopes. `addScopes` asks for them again.
  @Test func whatWasDeclinedIsAskedForAgain() async throws {
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "openid")) }
    #expect(try await identity.signIn().missingScopes == ["read"])
    #expect(try await accounts.authorize(IdentityStage.request()).via == .stored)
    let prompt = try #require(try await accounts.addScopes(add(["read"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "read openid")
  }

  /// Google asks for `email` and grants a URL. The scope is neither missing nor asked for twice.
  @Test func scopesOfTwoNames() async throws {
    let aliases: [JSON.Member] = [.init("scopeAliases", ["email": "https://scopes.example/email"])]
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "openid https://scopes.example/email")) }
    let authorization = try await identity.signIn(IdentityStage.request(["openid", "email", "read"], with: aliases))
    #expect(authorization.grantedScopes == ["openid", "https://scopes.example/email"] && authorization.missingScopes == ["read"])
    #expect(try identity.grant?.declinedScopes == ["read"])
    #expect(try await accounts.addScopes(add(["email"])).via == .stored)
    let prompt = try #require(try await accounts.addScopes(add(["read", "email"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "read email openid")
    let google = try ProviderCatalog.builtIn.resolve(.preset("google"))
    #expect(google.request.scopeAliases["profile"] == "https://www.googleapis.com/auth/userinfo.profile")
  }

  /// Microsoft spells scopes in its own way, and lists neither `openid` nor `offline_access`. A refresh names them again.
  @Test func scopesInTheProvidersOwnSpelling() async throws {
    let spelling: [JSON.Member] = [
      .init("scopeCase", "ignore"), .init("scopePrefix", "https://graph.example/"), .init("sendsScopesOnRefresh", true),
    ]
    let answered: [JSON.Member] = [.init("refresh_token", "r"), .init("scope", "https://graph.example/User.Read mail.send")]
    identity.issuer.set { $0.tokenMembers = answered }
    let asked = ["user.read", "Mail.Send", "openid", "offline_access", "files.read"]
    let authorization = try await identity.signIn(IdentityStage.request(asked, with: spelling))
    #expect(authorization.missingScopes == ["files.read"])
    #expect(authorization.grantedScopes == ["https://graph.example/User.Read", "mail.send", "openid", "offline_access"])
    #expect(try await accounts.authorize(IdentityStage.request(["USER.READ", "Files.Read"], with: spelling)).via == .stored)
    #expect(try await accounts.addScopes(add(["https://Graph.example/Mail.Send", "OFFLINE_ACCESS"])).via == .stored)
    _ = try await accounts.refresh("a", force: true, requestID: nil)
    #expect(identity.issuer.requests.last?.field("scope") == "https://graph.example/User.Read mail.send openid offline_access")
    #expect(try identity.grant?.grantedScopes.suffix(2) == ["openid", "offline_access"])
  }

  /// Without `openid`, the token response does not name the user who grants the scopes.
  @Test func openidIsAskedForWhereItBroughtTheUser() async throws {
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "read")) }
    #expect(try await identity.signIn().subject == "user-1")
    let prompt = try #require(try await accounts.addScopes(add(["write"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "write read openid")
    #expect(Stage.parameter("nonce", of: prompt.url) != nil)
  }

  /// An equal request joins the open sign-in. A request for other scopes fails at once.
  @Test func onlyAnEqualRequestJoins() async throws {
    identity.issuer.set { $0.tokenMembers.append(.init("scope", "openid read")) }
    try await identity.signIn()
    let prompt = try #require(try await accounts.addScopes(add(["write", "send"])).signIn)
    #expect(try await accounts.addScopes(add(["send", "write"])).signIn?.id == prompt.id)
    #expect(try await accounts.addScopes(add(["write"])).signIn?.id == prompt.id)
    let failure = await failureOf { try await accounts.addScopes(add(["write", "delete"])) }
    #expect(failure?.kind == .signInInProgress && failure?["signIn"] == .string(prompt.id))
    #expect(accounts.openSignIn("a") == prompt)
  }

  @Test func theCallersHintWins() async throws {
    try await identity.signIn()
    var request = add(["write"])
    request.parameters = NamedValues([("login_hint", "other@id.example")])
    let prompt = try #require(try await accounts.addScopes(request).signIn)
    #expect(Stage.parameter("login_hint", of: prompt.url) == "other@id.example")
  }

  @Test func withoutAnAddressTheSubjectIsTheHint() async throws {
    identity.issuer.set { $0.claims = [.init("email", .null)] }
    try await identity.signIn()
    let prompt = try #require(try await accounts.addScopes(add(["write"])).signIn)
    #expect(Stage.parameter("login_hint", of: prompt.url) == "user-1")
  }

  /// As Google Sign-In's mismatchWithCurrentUser: the old grant stays.
  @Test func anotherUserMayNotGrantThem() async throws {
    try await identity.signIn()
    let before = try identity.grant
    identity.issuer.set { $0.claims = [.init("sub", "user-2")] }
    let failure = await failureOf { try await conclude(add(["write"])) }
    #expect(failure?.kind == .accessDenied)
    #expect(failure?["reason"] == "anotherUser")
    #expect(try identity.grant == before)
    // Through `authorize`, another user may sign in.
    var other = IdentityStage.request()
    other.interaction = .always
    #expect(try await identity.signIn(other).subject == "user-2")
  }

  @Test func theResponseMustNameTheUserWhoGrants() async throws {
    try await identity.signIn()
    identity.issuer.set { $0.claims = nil }
    #expect(await failureOf { try await conclude(add(["write"])) }?.kind == .responseUntrusted)
    #expect(try identity.grant?.subject == "user-1")
  }

  @Test func withoutAGrantThereIsNothingToAddTo() async throws {
    let failure = await failureOf { try await accounts.addScopes(add(["write"])) }
    #expect(failure?.kind == .signInRequired)
    #expect(failure?["reason"] == "noGrant")
  }
}
