import Jansson
import Testing

@testable import OAuth

/// Scopes that are added to a grant, and the consent that is asked for once more.
struct AddScopesTests {
  private let identity: IdentityStage
  private var accounts: Accounts { identity.stage.accounts }

  init() throws { identity = try IdentityStage() }

  private func add(_ scopes: [String]) -> AuthorizeRequest {
    var request = AuthorizeRequest()
    request.account = "a"
    request.scopes = scopes
    request.redirectUri = "app.example:/callback"
    request.opensBrowser = false
    request.waits = false
    return request
  }

  /// Adds scopes and signs in where that is asked for.
  private func conclude(_ request: AuthorizeRequest) async throws -> Authorization? {
    let pending = try await accounts.addScopes(request)
    guard let prompt = pending.signIn else { return pending }
    try await identity.deliver(prompt.url)
    return try await accounts.awaitSignIn(id: prompt.id, timeout: 5)
  }

  @Test func theUnionIsAskedForWithAHint() async throws {
    identity.issuer.set { $0.answer.append(.init("scope", "openid read")) }
    try await identity.signIn()
    let prompt = try #require(try await accounts.addScopes(add(["write", "read"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "write read openid")
    #expect(Stage.parameter("login_hint", of: prompt.url) == "user@id.example")
    #expect(Stage.parameter("client_id", of: prompt.url) == "client")
    identity.issuer.set { $0.answer = [.init("refresh_token", "refresh-2"), .init("scope", "openid read write")] }
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

  /// `authorize` does not ask for what was declined; this asks for nothing else.
  @Test func whatWasDeclinedIsAskedForAgain() async throws {
    identity.issuer.set { $0.answer.append(.init("scope", "openid")) }
    #expect(try await identity.signIn().missingScopes == ["read"])
    #expect(try await accounts.authorize(IdentityStage.request()).via == .stored)
    let prompt = try #require(try await accounts.addScopes(add(["read"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "read openid")
  }

  /// Google asks for `email` and grants a URL: that is neither missing nor asked for twice.
  @Test func scopesOfTwoNames() async throws {
    let aliases: [JSON.Member] = [.init("scopeAliases", ["email": "https://scopes.example/email"])]
    identity.issuer.set { $0.answer.append(.init("scope", "openid https://scopes.example/email")) }
    let authorization = try await identity.signIn(IdentityStage.request(["openid", "email", "read"], with: aliases))
    #expect(authorization.grantedScopes == ["openid", "https://scopes.example/email"] && authorization.missingScopes == ["read"])
    #expect(try identity.grant?.declinedScopes == ["read"])
    #expect(try await accounts.addScopes(add(["email"])).via == .stored)
    let prompt = try #require(try await accounts.addScopes(add(["read", "email"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "read email openid")
    let google = try Presets.builtIn.resolve(.preset("google"))
    #expect(google.request.scopeAliases["profile"] == "https://www.googleapis.com/auth/userinfo.profile")
  }

  /// Without `openid` nobody would say who grants them.
  @Test func openidIsAskedForWhereItBroughtTheUser() async throws {
    identity.issuer.set { $0.answer.append(.init("scope", "read")) }
    #expect(try await identity.signIn().subject == "user-1")
    let prompt = try #require(try await accounts.addScopes(add(["write"])).signIn)
    #expect(Stage.parameter("scope", of: prompt.url) == "write read openid")
    #expect(Stage.parameter("nonce", of: prompt.url) != nil)
  }

  /// An open sign-in is joined; what it did not ask for is asked for when it has ended.
  @Test func whatAJoinedSignInDidNotAskForIsAskedForNext() async throws {
    identity.issuer.set { $0.answer.append(.init("scope", "openid read")) }
    try await identity.signIn()
    var open = IdentityStage.request()
    open.interaction = .always
    let (prompt, _) = try await identity.stage.begin(open)
    var adding = add(["write"])
    adding.waits = true
    let waiting = Task { [accounts, adding] in try await accounts.addScopes(adding) }
    #expect(await soon { await accounts.signIns.signIn(id: prompt.id)?.authorization.waiting == 1 })
    try await identity.deliver(prompt.url)
    #expect(await soon { accounts.openSignIn("a").map { $0.id != prompt.id } ?? false })
    let next = try #require(accounts.openSignIn("a"))
    #expect(Stage.parameter("scope", of: next.url)?.split(separator: " ").contains("write") == true)
    identity.issuer.set { $0.answer = $0.answer.filter { $0.name != "scope" } + [.init("scope", "openid read write")] }
    try await identity.deliver(next.url)
    #expect(try await waiting.value.missingScopes == [])
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

  /// Google Sign-In's mismatchWithCurrentUser; the old grant stays.
  @Test func somebodyElseMayNotGrantThem() async throws {
    try await identity.signIn()
    let before = try identity.grant
    identity.issuer.set { $0.claims = [.init("sub", "user-2")] }
    let failure = await failureOf { try await conclude(add(["write"])) }
    #expect(failure?.kind == .accessDenied)
    #expect(failure?["reason"] == "anotherUser")
    #expect(try identity.grant == before)
    // By `authorize` another user may well sign in.
    var other = IdentityStage.request()
    other.interaction = .always
    #expect(try await identity.signIn(other).subject == "user-2")
  }

  @Test func whoGrantsThemHasToBeSaid() async throws {
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
