import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

/// Redirects of signed calls. The parameters of a signature must not follow the redirect, and must not disturb the next signature.
struct SignedRedirectTests {
  private static let names = [
    "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_version", "oauth_nonce", "oauth_timestamp", "oauth_signature",
  ]

  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private func keep(_ placement: String, _ method: String = "PLAINTEXT") async throws {
    try await stage.keep { grant in
      grant.client = Client(id: "ck", secret: Secret("consumer&secret"))
      grant.accessToken = Secret("token-1")
      grant.tokenSecret = Secret("token+secret")
      grant.refreshToken = nil
      grant.tokenType = Grant.signedTokenType
      grant.provider = [
        "protocol": "oauth1", "requestTokenEndpoint": "https://api.example/r", "authorizationEndpoint": "https://api.example/a",
        "accessTokenEndpoint": "https://api.example/t", "signatureMethod": .string(method), "signaturePlacement": .string(placement),
        "apiBase": "https://api.example/",
      ]
    }
  }

  private func call(_ url: String, _ change: (inout APIRequest) -> Void = { _ in }) async throws -> APIResponse {
    var request = APIRequest(account: "a", url: url)
    change(&request)
    return try await APICall(accounts: stage.accounts, request: request) { _ in true }.run()
  }

  /// Answers with a redirect that repeats the query of the request.
  private func redirect(to place: String, adding more: String = "") {
    server.add { request in
      let query = request.url.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
      return .success(HTTPResponse(status: 302, headers: [HTTPHeader("Location", "\(place)?\(query)\(more)")], body: []))
    }
  }

  private func pairs(_ index: Int) throws -> [(String, String)] {
    FormEncoding.decodeLeniently(try URLParts(server.requests[index].url).query ?? "")
  }

  @Test(arguments: ["PLAINTEXT", "HMAC-SHA1"])
  func nothingOfASignatureGoesToAForeignHost(method: String) async throws {
    try await keep("query", method)
    // The same secrets under another name.
    redirect(to: "https://evil.example/x", adding: "&kept=consumer%2526secret%26token%252Bsecret&t=token-1")
    server.add(body: "ok")
    #expect(try await call("items?a=1&b=%20&c=%ff").status == 200)
    // With HMAC, the request never contained the secrets.
    let others = method == "PLAINTEXT" ? "" : "&kept=consumer%2526secret%26token%252Bsecret"
    #expect(server.requests[1].url == "https://evil.example/x?a=1&b=%20&c=%ff" + others)
    #expect(server.requests[1].header("Authorization") == nil)
  }

  @Test(arguments: ["PLAINTEXT", "HMAC-SHA1"])
  func eachHopToAnAllowedHostGetsANewSignature(method: String) async throws {
    try await keep("query", method)
    redirect(to: "https://api.example/items/")
    redirect(to: "https://api.example/items/again")
    server.add(body: "ok")
    #expect(try await call("items?a=1").status == 200)
    #expect(server.requests.count == 3)
    for index in server.requests.indices { #expect(try pairs(index).map(\.0) == ["a"] + Self.names) }
    let nonces = try server.requests.indices.map { index in try pairs(index).first { $0.0 == "oauth_nonce" }?.1 }
    #expect(Set(nonces).count == 3)
  }

  /// After a POST, the form may be repeated as the query of the redirect.
  @Test func aFormThatComesBackInTheAddressIsTakenOut() async throws {
    try await keep("body")
    server.add { request in
      .success(HTTPResponse(status: 302, headers: [HTTPHeader("Location", "https://evil.example/x?\(request.text)")], body: []))
    }
    server.add(body: "ok")
    _ = try await call("items") { request in
      request.method = "POST"
      request.body = .form(NamedValues([("k", .one("v"))]))
    }
    #expect(server.requests[0].text.contains("oauth_signature=consumer%2526secret"))
    #expect(server.requests[1].url == "https://evil.example/x?k=v")
    #expect(server.requests[1].text.isEmpty)
  }

  /// The form itself is sent on without its signature.
  @Test func aFormThatIsKeptGoesOnWithoutItsSignature() async throws {
    try await keep("body")
    server.add(status: 307, headers: [HTTPHeader("Location", "https://evil.example/x")], body: "")
    server.add(body: "ok")
    _ = try await call("items") { request in
      request.method = "POST"
      request.body = .form(NamedValues([("k", .one("v"))]))
    }
    #expect(server.requests[1].text == "k=v")
  }

  /// A host may redirect to an address that is already signed for another service. That signature must stay.
  @Test func anotherServicesOwnSignatureStays() async throws {
    try await keep("header")
    server.add(status: 302, headers: [HTTPHeader("Location", "https://cdn.example/x?oauth_consumer_key=cdn&oauth_signature=s")], body: "")
    server.add(body: "ok")
    _ = try await call("items")
    #expect(server.requests[1].url == "https://cdn.example/x?oauth_consumer_key=cdn&oauth_signature=s")
    #expect(server.requests[1].header("Authorization") == nil)
  }
}
