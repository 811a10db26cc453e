import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

struct APICallTests {
  @Test func aRelativeUrlIsRelativeToTheApiBase() async throws {
    let stage = try await CallStage()
    for _ in 0..<5 { stage.server.add(body: "") }
    _ = try await stage.call("items?a=1#f") {
      $0.query = NamedValues([("b c", OneOrMany(values: ["1", "2"])), ("d", OneOrMany(values: ["ä&"]))])
    }
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
}
