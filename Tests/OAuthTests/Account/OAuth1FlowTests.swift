import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A sign-in by OAuth 1.0a from its request token to its grant.
struct OAuth1FlowTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  static let provider: [JSON.Member] = [
    .init("protocol", "oauth1"), .init("requestTokenEndpoint", "https://id.example/request_token"),
    .init("accessTokenEndpoint", "https://id.example/access_token"), .init("tokenEndpoint", .null),
  ]

  private static let temporary = "oauth_token=rt&oauth_token_secret=rts&oauth_callback_confirmed=true"

  private func begin(_ members: [JSON.Member] = [], _ change: (inout AuthorizationInput) -> Void = { _ in }) async throws -> SignInPrompt {
    var request = Stage.request(with: Self.provider + members)
    change(&request)
    return try #require(try await stage.accounts.authorize(request).signIn)
  }

  @Test func aGrantHasBothHalvesAndWhatElseTheServiceSays() async throws {
    server.add(body: Self.temporary)
    let prompt = try await begin()
    #expect(prompt.url == "https://id.example/authorize?tenant=1&oauth_token=rt")
    server.add(
      body: "oauth_token=at&oauth_token_secret=ats&user_id=7&email=a%40b.example&oauth_expires_in=100&oauth_session_handle=sh&bad=a%00b")
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?oauth_verifier=v&x=y&oauth_token=rt"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.accessToken == Secret("at") && grant.tokenSecret == Secret("ats") && grant.sessionHandle == Secret("sh"))
    #expect(grant.tokenType == "OAuth" && grant.expiresAt == 1_000_100 && grant.email == "a@b.example")
    // Values that JSON must not contain are left out.
    #expect(grant.attributes.pairs.map(\.name) == ["user_id"] && grant.attributes["user_id"] == "7")
    #expect(grant.hasToken && grant.canRefresh(at: 1_000_000) && grant.grantedScopes == ["read"])
    #expect(server.requests.map { $0.protocolParameter("oauth_callback") } == ["app.example:/callback", nil])
    #expect(server.requests.last?.protocolParameter("oauth_verifier") == "v")
    #expect(server.requests.allSatisfy { $0.isSentOnce })
  }

  @Test func whatTheRedirectTellsIsPlainText() async throws {
    server.add(body: Self.temporary)
    let prompt = try await begin([.init("callbackMembers", ["site", "bad"])])
    server.add(body: "oauth_token=at&oauth_token_secret=ats&email=a%00b")
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?oauth_verifier=v&oauth_token=rt&site=1&bad=a%00b"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
    let grant = try #require(try stage.store.read("a"))
    #expect(grant.attributes.pairs.map(\.name) == ["site"] && grant.email == nil)
  }

  @Test(arguments: [
    "oauth_token=other&oauth_verifier=v", "oauth_verifier=v", "oauth_token=r&oauth_verifier=v", "oauth_token=&oauth_verifier=v",
    "oauth_token=rt&oauth_token=other&oauth_verifier=v", "denied=other", "oauth_problem=permission_denied", "state=x&code=c",
  ])
  func aCallbackForAnotherTokenIsIgnored(query: String) async throws {
    server.add(body: Self.temporary)
    let prompt = try await begin()
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?\(query)") == false)
    #expect(server.requests.count == 1)
    server.add(body: "oauth_token=at&oauth_token_secret=ats")
    #expect(try await stage.accounts.signIns.take(typed: Secret(" v "), signIn: prompt.id) == true)
    #expect(try await stage.accounts.signIns.take(typed: Secret("v"), signIn: prompt.id) == false)
    #expect(try await stage.accounts.signIns.take(typed: Secret("v"), signIn: "another") == nil)
    #expect(server.requests.last?.protocolParameter("oauth_verifier") == "v")
  }

  @Test(
    arguments: [
      ("requestToken", "https://id.example/request_token?perms=read%2Cwrite", nil),
      ("authorization", "https://id.example/request_token", "read,write"),
      ("both", "https://id.example/request_token?perms=read%2Cwrite", "read,write"),
    ] as [(String, String, String?)])
  func scopesGoWhereTheProviderWantsThem(step: String, request: String, onPage: String?) async throws {
    server.add(body: Self.temporary)
    let prompt = try await begin([
      .init("scopeStep", .string(step)), .init("scopeParameter", "perms"), .init("scopeSeparator", ","),
    ]) { $0.scopes = ["read", "write"] }
    #expect(server.requests[0].url == request)
    #expect(Stage.parameter("perms", of: prompt.url) == onPage)
  }

  @Test func noParameterCarriesScopesWhereThereIsNone() async throws {
    server.add(body: Self.temporary)
    let prompt = try await begin([.init("scopeParameter", "none"), .init("scopeStep", "both")])
    #expect(server.requests[0].url == "https://id.example/request_token" && !prompt.url.contains("scope"))
  }

  /// If the server's clock differs, the request is repeated once and only once.
  @Test func aRejectedTimestampIsCorrectedOnce() async throws {
    func reject(at date: String) {
      server.add(status: 401, headers: [HTTPHeader("Date", date)], body: "oauth_problem=timestamp_refused")
    }
    // 2000300, and later 5000000 and 6000000.
    reject(at: "Sat, 24 Jan 1970 03:38:20 GMT")
    server.add(body: Self.temporary)
    _ = try await begin()
    #expect(server.requests.map { $0.protocolParameter("oauth_timestamp") } == ["1000000", "2000300"])
    #expect(Set(server.requests.map { $0.protocolParameter("oauth_nonce") }).count == 2)
    let servers = stage.accounts.dependencies.servers
    #expect(servers.time(of: "id.example") == 2_000_300 && servers.time(of: "other.example") == 1_000_000)

    reject(at: "Fri, 27 Feb 1970 20:53:20 GMT")
    reject(at: "Wed, 11 Mar 1970 10:40:00 GMT")
    var request = Stage.request("a", with: Self.provider)
    request.clientId = "other"
    #expect(await failureOf { try await stage.accounts.authorize(request) }?.kind == .signInInProgress)
    request.account = "c"
    #expect(await failureOf { try await stage.accounts.authorize(request) }?["error"] == "timestamp_refused")
    // The host's clock is known to all accounts.
    #expect(server.requests.dropFirst(2).map { $0.protocolParameter("oauth_timestamp") } == ["2000300", "5000000"])
  }

  @Test func aNonceIsLettersAndDigitsAlone() async throws {
    server.add(body: Self.temporary)
    _ = try await begin()
    let nonce = try #require(server.requests[0].protocolParameter("oauth_nonce"))
    #expect((20...30).contains(nonce.utf8.count) && nonce.utf8.allSatisfy(isASCIILetterOrDigit))
  }

  @Test func theMissingIsNamed() async throws {
    await #expect(throws: FieldError.self) { try await begin { $0.credentials.secret = nil } }
    #expect(await failureOf { try await begin([.init("signatureMethod", "RSA-SHA1")]) }?["path"] == "/provider/privateKey")
    #expect(await failureOf { try await begin([.init("requestTokenEndpoint", .null)]) }?["path"] == "/provider/requestTokenEndpoint")
    for name in ["oauth_token", "oauth_callback"] {
      await #expect(throws: FieldError.self) { try await begin { $0.parameters = NamedValues([(name, "x")]) } }
    }
    #expect(server.requests.isEmpty)
  }

  /// The stored description contains the private key. No printed form of a value may show it.
  @Test func noDumpShowsAPrivateKey() throws {
    let reference = ProviderReference.description(Self.provider + [.init("privateKey", "KEY-MATERIAL")])
    let provider = try ProviderCatalog.builtIn.resolve(reference)
    #expect(provider.oauth1.privateKey == Secret("KEY-MATERIAL"))
    var request = AuthorizationInput()
    request.provider = .description([.init("preset", "tumblr"), .init("privateKey", "KEY-MATERIAL")])
    let plan = AuthorizationPlan(account: "a", provider: provider, client: Client(id: "c"), scopes: [])
    let grant = plan.grant(accessToken: Secret("at"), tokenType: "OAuth", at: 0)
    for value in [reference, provider, request, plan, grant] as [Any] {
      var text = "\(value)" + String(reflecting: value)
      dump(value, to: &text)
      #expect(!text.contains("KEY-MATERIAL"))
    }
    #expect(try grant.resolvedProvider.oauth1.privateKey == Secret("KEY-MATERIAL"))
    var other = provider
    other.use(privateKey: Secret("OTHER"), unlessIn: reference)
    #expect(other.oauth1.privateKey == Secret("KEY-MATERIAL"))
  }
}
