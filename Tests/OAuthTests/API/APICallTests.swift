import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

struct APICallTests {
  @Test func aRelativeUrlIsRelativeToTheApiBase() async throws {
    let stage = try await CallStage()
    for _ in 0..<5 { stage.server.add(body: "") }
    _ = try await stage.call("items?a=1#f") { $0.query = NamedValues([("b c", .many(["1", "2"])), ("d", .one("ä&"))]) }
    _ = try await stage.call("/root")
    _ = try await stage.call("../up")
    _ = try await stage.call("//img.cdn.example/x")
    _ = try await stage.call("https://other.example:8443/y")
    #expect(
      stage.urls == [
        "https://api.example/v1/items?a=1&b%20c=1&b%20c=2&d=%C3%A4%26", "https://api.example/root", "https://api.example/up",
        "https://img.cdn.example/x", "https://other.example:8443/y",
      ])
  }

  @Test(arguments: [
    ("/listings", "https://api.example/v1/listings"), ("/listings/1?a=/b", "https://api.example/v1/listings/1?a=/b"),
    ("listings", "https://api.example/v1/listings"), ("/v1/listings", "https://api.example/v1/listings"), ("/", "https://api.example/v1/"),
    ("/a:b", "https://api.example/v1/a:b"), ("//img.cdn.example/x", "https://img.cdn.example/x"), ("/v1x", "https://api.example/v1/v1x"),
    ("https://api.example/root", "https://api.example/root"),
  ])
  func aLeadingSlashMayBeUnderTheBase(url: String, meant: String) throws {
    #expect(try URLParts("https://api.example/v1/").resolve(url, .underBase).description == meant)
  }

  @Test func onlySparksSlashIsUnderTheBase() throws {
    for name in ProviderCatalog.builtIn.names {
      let members = JSON.object(try #require(try ProviderCatalog.builtIn.description(of: name)))
      #expect((members["apiPathJoin"] != nil) == ["spark", "spark-oidc"].contains(name))
    }
    #expect(try URLParts("https://api.example/v1/").resolve("/x", .atRoot).description == "https://api.example/x")
    #expect(try URLParts("https://api.example").resolve("/x", .underBase).description == "https://api.example/x")
  }

  @Test(arguments: [
    "https://evil.example/", "http://api.example/", "https://api.example:444/", "//evil.example/", "http://evil.example/",
    "https://cdn.example/",
  ])
  func theTokenGoesNowhereElse(url: String) async throws {
    let stage = try await CallStage()
    let failure = await failureOf { try await stage.call(url) }
    #expect(failure?.kind == .hostNotAllowed && failure?["host"] != nil)
    #expect(stage.server.requests.isEmpty)
  }

  @Test(arguments: [
    "a b", "a\r\nb", "a\u{0}", "a\tb", "\u{7F}", "https://u:p@api.example/", "ftp://api.example/", "javascript:x", "a\\b", "https://",
  ])
  func anAmbiguousUrlIsRejected(url: String) async throws {
    let stage = try await CallStage()
    #expect(await stage.fieldError(url)?.path == "/url")
    #expect(stage.server.requests.isEmpty)
  }

  @Test(arguments: ["", "GET /", "GE\r\nT", "GET\u{0}", "G:T", "GÄT"])
  func aMethodIsOneToken(method: String) async throws {
    let stage = try await CallStage()
    #expect(await stage.fieldError { $0.method = method }?.path == "/method")
    #expect(stage.server.requests.isEmpty)
  }

  @Test(arguments: [
    ("X", "a\r\nEvil: 1", "/headers/X"), ("X", "a\n", "/headers/X"), ("X", "\u{0}", "/headers/X"), ("X Y", "a", "/headers"),
    ("", "a", "/headers"), ("X:", "a", "/headers"), ("X\r\nY", "a", "/headers"), ("Host", "evil", "/headers/Host"),
    ("content-LENGTH", "1", "/headers/content-LENGTH"), ("Transfer-Encoding", "chunked", "/headers/Transfer-Encoding"),
  ])
  func headersSmuggleNothing(name: String, value: String, path: String) async throws {
    let stage = try await CallStage()
    #expect(await stage.fieldError { $0.headers = NamedValues([(name, value)]) }?.path == path)
    #expect(stage.server.requests.isEmpty)
  }

  @Test func theAccountsCredentialIsTheOnlyOne() async throws {
    let stage = try await CallStage(apiHeaders: ["Accept": "application/vnd.x", "X-Version": "3"])
    stage.server.add(body: "")
    _ = try await stage.call {
      $0.headers = NamedValues([("authorization", "Basic mine"), ("accept", "text/plain"), ("X-a", "1"), ("X-a", "2")])
    }
    let request = try #require(stage.server.requests.first)
    #expect(request.headers.filter { $0.name.lowercased() == "authorization" } == [HTTPHeader("Authorization", "Bearer access-1")])
    #expect(request.headers.filter { $0.name.lowercased() == "accept" } == [HTTPHeader("accept", "text/plain")])
    #expect(request.header("X-Version") == "3")
    #expect(request.headers.count { $0.name == "X-a" } == 2)
  }

  @Test func aHeaderOfTheDescriptionWithoutItsValueIsNotSent() async throws {
    let stage = try await CallStage(apiHeaders: ["X-Team": "{team}", "X-Version": "3"], with: [.init("tokenMembers", ["team"])])
    stage.server.add(body: "")
    _ = try await stage.call()
    let request = try #require(stage.server.requests.first)
    #expect(request.header("X-Team") == nil && request.header("X-Version") == "3")
  }

  @Test func authorizedRequestsHaveTheSameCredential() async throws {
    let stage = try await CallStage()
    func authorized(_ url: String) async throws -> HTTPRequest {
      var request = APIRequest(account: "a", url: url)
      request.headers = NamedValues([("AUTHORIZATION", "mine"), ("X", "1")])
      return try await APICall(accounts: stage.stage.accounts, request: request) { _ in true }.authorized(body: nil)
    }
    let found = try await authorized("x?y=1#z")
    #expect(found.url == "https://api.example/v1/x?y=1")
    #expect(found.headers.map { "\($0.name): \($0.value)" } == ["X: 1", "Authorization: Bearer access-1"])
    #expect(await failureOf { try await authorized("https://evil.example/") }?.kind == .hostNotAllowed)
    #expect(stage.server.requests.isEmpty)
  }

  @Test func anExpiredTokenIsReplacedBeforeItIsSent() async throws {
    let stage = try await CallStage(expiresIn: 0)
    stage.server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    stage.server.add(body: "ok")
    _ = try await stage.call()
    #expect(stage.urls == ["https://id.example/token", "https://api.example/v1/items"])
    #expect(stage.credentials.last == "Bearer access-2")
  }

  @Test func a401IsRefreshedAndReplayedOnce() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 401, body: "no")
    stage.server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    stage.server.add(status: 401, body: "still no")
    stage.server.add(body: "never asked for")
    let response = try await stage.call { request in
      request.method = "POST"
      request.body = .text("once more")
    }
    #expect(response.status == 401 && response.attempts == 2 && response.refreshed)
    #expect(stage.credentials == ["Bearer access-1", nil, "Bearer access-2"])
    #expect(stage.server.requests.last?.text == "once more")
    #expect(stage.server.left == 1)
    let failure = response.failure("a")
    #expect(failure.kind == .serviceError && failure["httpStatus"] == 401 && failure["body"] == "still no")
  }

  @Test func a401WithoutARefreshTokenIsReported() async throws {
    let stage = try await CallStage(refreshToken: nil)
    stage.server.add(status: 401, body: "no")
    #expect(try await stage.call().status == 401)
    #expect(stage.server.requests.count == 1)
  }

  @Test func aRejectedRefreshAsksForASignIn() async throws {
    let stage = try await CallStage()
    stage.server.add(status: 401, body: "")
    stage.server.add(status: 400, body: #"{"error":"invalid_grant"}"#)
    #expect(await failureOf { try await stage.call() }?.kind == .signInRequired)
  }

  /// A client that sends the request itself sends the same headers as `callAPI`.
  @Test func anAuthorizedRequestHasTheProvidersHeaders() async throws {
    let stage = try await CallStage(apiHeaders: ["X-SparkApi-User-Agent": "app", "Notion-Version": "2022-06-28"])
    var request = APIRequest(account: "a", url: "x")
    request.headers = NamedValues([("notion-version", "mine"), ("X-Mine", "1")])
    let found = try await APICall(accounts: stage.stage.accounts, request: request) { _ in true }.authorized(body: nil)
    #expect(
      found.headers == [
        HTTPHeader("notion-version", "mine"), HTTPHeader("X-Mine", "1"), HTTPHeader("X-SparkApi-User-Agent", "app"),
        HTTPHeader("Authorization", "Bearer access-1"),
      ])
  }
}
