import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// How each description member about token requests changes them.
struct TokenOptionsTests {
  private static let client = Client(id: "c", secret: Secret("s"))

  /// Returns method, URL and body in one line, as in transcripts, and the credential's header.
  private func line(_ request: TokenRequest, _ members: String, _ client: Client) throws -> String {
    let sent = try #require(request.httpRequest(.described(members), client))
    let credential = sent.header("Authorization").map { " \($0)" } ?? ""
    return "\(sent.method) \(sent.url) \(sent.text)\(credential)".replacing("https://id.example", with: "")
  }

  private let code = TokenRequest.code(Secret("k"), redirectUri: "app:/", verifier: Secret("v"), resource: "https://r")
  private let refresh = TokenRequest.refresh(Secret("t"), redirectUri: "app:/", scopes: ["a", "b"])

  @Test(arguments: [
    ("{}", "grant_type=authorization_code&code=k&redirect_uri=app%3A%2F&code_verifier=v&resource=https%3A%2F%2Fr Basic Yzpz"),
    (
      #"{"clientAuthentication":"body","resourceIndicator":"off"}"#,
      "grant_type=authorization_code&code=k&redirect_uri=app%3A%2F&code_verifier=v&client_id=c&client_secret=s"
    ),
    (
      #"{"clientAuthentication":"none","resourceIndicator":"off"}"#,
      "grant_type=authorization_code&code=k&redirect_uri=app%3A%2F&code_verifier=v&client_id=c"
    ),
    (
      #"{"clientAuthentication":"body","resourceIndicator":"off","parameterNames":{"client_id":"client_key","client_secret":"key_secret","grant_type":"","code":"auth_code"}}"#,
      "auth_code=k&redirect_uri=app%3A%2F&code_verifier=v&client_key=c&key_secret=s"
    ),
    (
      #"{"clientAuthentication":"none","resourceIndicator":"off","tokenParameters":{"grant_type":"other","x":"1"}}"#,
      "code=k&redirect_uri=app%3A%2F&code_verifier=v&grant_type=other&x=1&client_id=c"
    ),
    (
      #"{"clientAuthentication":"none","resourceIndicator":"off","sendsRedirectUriWithCode":false}"#,
      "grant_type=authorization_code&code=k&code_verifier=v&client_id=c"
    ),
  ])
  func theCodesForm(members: String, form: String) throws {
    #expect(try line(code, members, Self.client) == "POST /token " + form)
  }

  @Test func basicAlwaysHasAnEmptyPassword() throws {
    let sent = try line(refresh, #"{"clientAuthentication":"basicAlways"}"#, Client(id: "c"))
    #expect(sent == "POST /token grant_type=refresh_token&refresh_token=t Basic Yzo=")
    #expect(try line(refresh, #"{"clientAuthentication":"basic"}"#, Client(id: "c")).hasSuffix("refresh_token=t&client_id=c"))
  }

  @Test(
    arguments: [
      (#"{"bodyFormat":"json"}"#, #"POST /token {"grant_type":"refresh_token","refresh_token":"t"} Basic Yzpz"#, "application/json"),
      (#"{"bodyFormat":"query"}"#, "POST /token?grant_type=refresh_token&refresh_token=t  Basic Yzpz", nil),
      (#"{"tokenMethod":"GET"}"#, "GET /token?grant_type=refresh_token&refresh_token=t  Basic Yzpz", nil),
      (#"{"refreshMethod":"GET"}"#, "GET /token?grant_type=refresh_token&refresh_token=t  Basic Yzpz", nil),
      (
        #"{"tokenMethod":"GET","refreshMethod":"POST"}"#, "POST /token grant_type=refresh_token&refresh_token=t Basic Yzpz",
        "application/x-www-form-urlencoded"
      ),
      (
        #"{"refreshEndpoint":"https://id.example/renew?v=1","bodyFormat":"query"}"#,
        "POST /renew?v=1&grant_type=refresh_token&refresh_token=t  Basic Yzpz", nil
      ),
    ] as [(String, String, String?)])
  func theWayOfARefresh(members: String, expected: String, type: String?) throws {
    #expect(try line(refresh, members, Self.client) == expected)
    #expect(try refresh.httpRequest(.described(members), Self.client)?.header("Content-Type") == type)
  }

  @Test(arguments: [
    (#"{"sendsRedirectUriOnRefresh":true}"#, "grant_type=refresh_token&refresh_token=t&redirect_uri=app%3A%2F"),
    (#"{"sendsScopesOnRefresh":true}"#, "grant_type=refresh_token&refresh_token=t&scope=a+b"),
    (#"{"sendsScopesOnRefresh":true,"scopeSeparator":","}"#, "grant_type=refresh_token&refresh_token=t&scope=a%2Cb"),
    (#"{"refreshParameters":{"audience":"x"}}"#, "grant_type=refresh_token&refresh_token=t&audience=x"),
    (
      #"{"refreshStyle":"accessToken","refreshGrantType":"fb_exchange_token","refreshTokenParameter":"fb_exchange_token"}"#,
      "grant_type=fb_exchange_token&fb_exchange_token=t"
    ),
    (#"{"refreshGrantType":""}"#, "refresh_token=t"), (#"{"parameterNames":{"refresh_token":"rt"}}"#, "grant_type=refresh_token&rt=t"),
  ])
  func theFormOfARefresh(members: String, form: String) throws {
    let client = Client(id: "")
    // `parameterNames` renames the refresh token unless `refreshTokenParameter` does.
    let sent = try line(refresh, members, client).replacing("&client_id=", with: "")
    #expect(sent == "POST /token " + form)
  }

  @Test func aRefreshMayShowTheClientInAnotherWay() throws {
    let members = #"{"clientAuthentication":"body","refreshAuthentication":"none"}"#
    #expect(try line(code, members, Self.client).contains("client_secret=s"))
    #expect(try !line(refresh, members, Self.client).contains("client_secret"))
  }

  @Test func headersGoAlongAndWin() throws {
    let members = #"{"tokenHeaders":{"Accept":"application/vnd.x","User-Agent":"mine/1"}}"#
    let sent = try #require(code.httpRequest(.described(members), Self.client))
    #expect(sent.headers.filter { $0.name == "Accept" }.map(\.value) == ["application/vnd.x"])
    #expect(sent.header("User-Agent") == "mine/1")
  }

  /// Basic is tried first, then the body once. The method that works is stored.
  @Test func probingFindsTheWay() async throws {
    let server = PreparedResponses()
    server.add(status: 401, body: #"{"error":"invalid_client"}"#)
    server.add(body: #"{"access_token":"at"}"#)
    let endpoint = TokenEndpoint(
      try .described(#"{"clientAuthentication":"probe"}"#), Self.client, for: "a", Stage(server).accounts.dependencies)
    let tokens = try await endpoint.ask(refresh)
    #expect(server.requests.map { $0.header("Authorization") } == ["Basic Yzpz", nil])
    #expect(server.requests.map { $0.field("client_secret") } == [nil, "s"])
    #expect(tokens.clientAuthentication == .body)
    var grant = Grant(
      account: "a", provider: ["clientAuthentication": "probe"], client: Self.client, accessToken: nil, tokenType: nil, issuedAt: 0)
    grant.take(tokens)
    #expect(grant.provider["clientAuthentication"] == "body")
    server.add(status: 400, body: #"{"error":"invalid_grant"}"#)
    _ = await failureOf { try await endpoint.ask(refresh) }
    #expect(server.requests.count == 3, "another error is no reason to try again")
    server.add(body: #"{"access_token":"at"}"#)
    #expect(try await endpoint.ask(refresh).clientAuthentication == .basic)
  }

  @Test(
    arguments: [
      ("{}", "new", "new"), ("{}", nil, "old"), (#"{"refreshTokenUse":"once"}"#, "new", "new"), (#"{"refreshTokenUse":"once"}"#, nil, nil),
    ] as [(String, String?, String?)])
  func whatBecomesOfTheOldRefreshToken(members: String, answered: String?, kept: String?) throws {
    var grant = Grant(
      account: "a", provider: try JSON.parse(Array(members.utf8)), client: Self.client, accessToken: Secret("at-1"), tokenType: "Bearer",
      issuedAt: 0)
    grant.refreshToken = Secret("old")
    let answer = answered.map { #","refresh_token":"\#($0)""# } ?? ""
    grant.take(try TokenRequest.Response(.json(#"{"access_token":"at-2"\#(answer)}"#)))
    #expect(grant.refreshToken == kept.map(Secret.init))
  }

  @Test func anAccessTokenIsExchangedOnlyWhileItIsValid() throws {
    var grant = Grant(
      account: "a", provider: ["refreshStyle": "accessToken"], client: Self.client, accessToken: Secret("at"), tokenType: nil, issuedAt: 0)
    grant.expiresAt = 100
    #expect(grant.exchangeable == Secret("at"))
    #expect(grant.canRefresh(at: 99))
    #expect(!grant.canRefresh(at: 100))
    grant.provider = .object([])
    #expect(grant.exchangeable == nil && !grant.canRefresh(at: 99))
  }
}
