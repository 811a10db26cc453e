import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Tokens for the client itself (RFC 6749, 4.4): how they are obtained, renewed and distinguished from a user's tokens.
struct ClientCredentialsTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private var request: AuthorizationInput {
    var request = Stage.request()
    request.flow = .clientCredentials
    return request
  }

  private func answer(_ token: String, expiresIn: Int = 3600) {
    server.add(body: #"{"access_token":"\#(token)","expires_in":\#(expiresIn)}"#)
  }

  @Test func manyCallersShareOneTokenRequest() async throws {
    answer("A")
    let (accounts, request) = (stage.accounts, request)
    let ways = try await withThrowingTaskGroup(of: Authorization.Source?.self) { group in
      for _ in 0..<20 { group.addTask { try await accounts.authorize(request).via } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(server.requests.count == 1)
    #expect(ways.count { $0 == .signedIn } == 1 && ways.count { $0 == .stored } == 19)
    #expect(!stage.told.contains("requested"))
  }

  @Test func anExpiredOneIsReplacedInTheSameWay() async throws {
    answer("A", expiresIn: 100)
    _ = try await stage.accounts.authorize(request)
    stage.clock.advance(80)
    answer("B")
    let (grant, refreshed) = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(refreshed && grant.accessToken == Secret("B") && grant.refreshToken == nil)
    #expect(server.requests.map { $0.field("grant_type") } == ["client_credentials", "client_credentials"])
    #expect(server.requests.map { $0.field("scope") } == ["read", "read"])
  }

  /// One scope name may stand for many, as Azure's `.default` does. Renewals use the scopes of the first request.
  @Test func renewalsUseTheRequestedScopes() async throws {
    server.add(body: #"{"access_token":"A","expires_in":100,"scope":"write all"}"#)
    _ = try await stage.accounts.authorize(request)
    stage.clock.advance(80)
    answer("B")
    _ = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(server.requests.map { $0.field("scope") } == ["read", "read"])
  }

  @Test func onlyTheCallersScopesAreAskedFor() async throws {
    answer("A")
    var request = request
    request.scopes = nil
    request.provider = .description(ProviderCatalog.merge([.init("scopes", ["openid", "email"])], over: Stage.provider))
    _ = try await stage.accounts.authorize(request)
    #expect(server.requests.first?.field("scope") == nil)
  }

  @Test func aUsersGrantIsNotAClientsGrant() async throws {
    try await stage.keep()
    answer("A")
    #expect(try await stage.accounts.authorize(request).via == .signedIn)
    // A client's grant does not satisfy the browser flow either. The automatic flow accepts both.
    var other = Stage.request()
    other.flow = .browser
    #expect(try await stage.accounts.authorize(other).signIn != nil)
    other.flow = .auto
    #expect(try await stage.accounts.authorize(other).via == .stored)
  }

  @Test func alwaysMeansAnotherToken() async throws {
    answer("A")
    _ = try await stage.accounts.authorize(request)
    answer("B")
    var again = request
    again.interaction = .always
    #expect(try await stage.accounts.authorize(again).via == .signedIn)
    #expect(try stage.accounts.grant("a").accessToken == Secret("B"))
  }

  @Test func authorizeReplacesARejectedToken() async throws {
    try await stage.keep { grant in
      grant.clientParameters = .init([("audience", "x")])
      grant.refreshToken = nil
      grant.isRejected = true
    }
    answer("A")
    var request = AuthorizationInput()
    request.account = "a"
    #expect(try await stage.accounts.authorize(request).via == .signedIn)
    #expect(server.requests.first?.field("audience") == "x")
    #expect(try stage.accounts.grant("a").isRejected == false)
  }

  /// A caller that gives all parameters decides which are absent. A caller that gives none uses the grant's parameters.
  @Test func aParameterThatWasTakenOutIsNotSent() async throws {
    try await stage.keep { $0.clientParameters = .init([("audience", "x")]) }
    var short = Stage.request()
    short.flow = .auto
    #expect(try await stage.accounts.authorize(short).via == .stored)
    answer("A")
    #expect(try await stage.accounts.authorize(request).via == .signedIn)
    #expect(server.requests.map { $0.field("audience") } == [nil])
  }

  @Test func theOrderOfParametersDoesNotMatter() async throws {
    answer("A")
    var request = request
    request.parameters = .init([("audience", "x"), ("tenant", "y")])
    _ = try await stage.accounts.authorize(request)
    request.parameters = .init([("tenant", "y"), ("audience", "x")])
    #expect(try await stage.accounts.authorize(request).via == .stored)
  }

  /// Secrets are rotated. The caller's or the configuration's secret is used, and is stored once the server accepts it.
  @Test(arguments: [true, false])
  func anotherSecretIsUsedForWhatIsKept(isForClient: Bool) async throws {
    try await stage.keep(expiresIn: 10) { grant in
      grant.issuedAt -= 3600
      if isForClient { (grant.clientParameters, grant.refreshToken) = (.init(), nil) }
    }
    answer("A", expiresIn: 10)
    var request = Stage.request()
    request.credentials.secret = Secret("new-secret")
    #expect(try await stage.accounts.authorize(request).via == .refreshed)
    stage.clock.advance(10)
    answer("B")
    _ = try await stage.accounts.usableGrant("a", requestID: nil)
    #expect(server.requests.map { $0.field("client_secret") } == ["new-secret", "new-secret"])
  }

  @Test func aSecretThatIsRejectedIsNotKept() async throws {
    try await stage.keep(expiresIn: 0)
    server.add(status: 401, body: #"{"error":"invalid_client"}"#)
    var request = Stage.request()
    request.credentials.secret = Secret("wrong")
    let asked = request
    #expect(await failureOf { try await stage.accounts.authorize(asked) }?["error"] == "invalid_client")
    #expect(try stage.accounts.grant("a").client.secret == Secret("client-secret"))
  }

  @Test func aDescriptionMayKnowClientsWithoutSecrets() async throws {
    answer("A")
    var request = request
    request.credentials.secret = nil
    await #expect(throws: FieldError.missing("/clientSecret", ": the flow clientCredentials needs it, or a privateKey")) {
      try await stage.accounts.authorize(request)
    }
    request.provider = .description(ProviderCatalog.merge([.init("clientAuthentication", "none")], over: Stage.provider))
    #expect(try await stage.accounts.authorize(request).via == .signedIn)
    #expect(server.requests.map { $0.field("client_id") } == ["client"])
  }

  @Test func aDescriptionMayNameItsGrantType() async throws {
    answer("A")
    var request = request
    request.provider = .description(ProviderCatalog.merge([.init("clientGrantType", "account_credentials")], over: Stage.provider))
    request.parameters = .init([("account_id", "7")])
    _ = try await stage.accounts.authorize(request)
    #expect(server.requests.map { $0.field("grant_type") } == ["account_credentials"])
    #expect(server.requests.map { $0.field("account_id") } == ["7"])
    #expect(try ProviderCatalog.builtIn.resolve(.preset("zoom")).token.clientGrantType == "account_credentials")
  }

  @Test func clientParametersAreStoredAndExported() async throws {
    answer("A")
    var request = request
    request.parameters = .init([("audience", "x")])
    _ = try await stage.accounts.authorize(request)
    let grant = try stage.accounts.grant("a")
    #expect(try Grant.decode(JSON.parse(grant.text)).clientParameters == request.parameters)
    #expect(try GrantFacts.decode(GrantFacts.json(of: grant)).clientParameters == request.parameters)
  }
}
