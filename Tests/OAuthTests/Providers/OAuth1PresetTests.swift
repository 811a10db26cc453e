import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Compares the OAuth 1.0a presets with their providers' documentation: the requests sent and the answers given.
struct OAuth1PresetTests {
  struct Exchange: Sendable {
    let preset: String
    let requests: [String]
    let page: String
    let tokenResponse: String
    let attributes: [String: String]
    /// The answer to a call with an invalid token; nil if the provider does not document one.
    let dead: (status: Int, body: String)?
  }

  static let exchanges = [
    Exchange(
      preset: "x-oauth1",
      requests: ["POST https://api.x.com/oauth/request_token", "POST https://api.x.com/oauth/access_token"],
      page: "https://api.x.com/oauth/authorize?oauth_token=rt",
      tokenResponse: "oauth_token=6253282-eWud&oauth_token_secret=2EEf&user_id=6253282&screen_name=xapi",
      attributes: ["user_id": "6253282", "screen_name": "xapi"],
      dead: (401, #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#)),
    Exchange(
      preset: "tumblr",
      requests: ["POST https://www.tumblr.com/oauth/request_token", "POST https://www.tumblr.com/oauth/access_token"],
      page: "https://www.tumblr.com/oauth/authorize?oauth_token=rt", tokenResponse: "oauth_token=at&oauth_token_secret=ats",
      attributes: [:],
      dead: nil),
    Exchange(
      preset: "flickr",
      requests: ["GET https://www.flickr.com/services/oauth/request_token", "GET https://www.flickr.com/services/oauth/access_token"],
      page: "https://www.flickr.com/services/oauth/authorize?oauth_token=rt&perms=read",
      tokenResponse:
        "fullname=Jamal%20Fanaian&oauth_token=72157626318069415&oauth_token_secret=a202d1f853ec69de&user_nsid=21207597%40N07&username=jamalfanaian",
      attributes: ["fullname": "Jamal Fanaian", "user_nsid": "21207597@N07", "username": "jamalfanaian"],
      dead: (200, #"{"stat":"fail","code":98,"message":"Invalid auth token"}"#)),
    Exchange(
      preset: "trello",
      requests: ["POST https://trello.com/1/OAuthGetRequestToken", "POST https://trello.com/1/OAuthGetAccessToken"],
      page: "https://trello.com/1/OAuthAuthorizeToken?oauth_token=rt&expiration=never&scope=read%2Cwrite",
      tokenResponse: "oauth_token=at&oauth_token_secret=ats", attributes: [:], dead: nil),
    Exchange(
      preset: "discogs",
      requests: ["POST https://api.discogs.com/oauth/request_token", "POST https://api.discogs.com/oauth/access_token"],
      page: "https://www.discogs.com/oauth/authorize?oauth_token=rt", tokenResponse: "oauth_token=at&oauth_token_secret=ats",
      attributes: [:],
      dead: nil),
  ]

  @Test func everyPresetOfOAuth1HasAnExchange() throws {
    let catalog = try Preset.all.map(\.name).filter {
      JSON.object(try #require(try ProviderCatalog.builtIn.description(of: $0)))["protocol"] == "oauth1"
    }
    #expect(Set(catalog) == Set(Self.exchanges.map(\.preset)))
  }

  @Test(arguments: exchanges.indices)
  func signInCallAndEnd(index: Int) async throws {
    let exchange = Self.exchanges[index]
    let server = PreparedResponses()
    let stage = Stage(server)
    server.add(body: "oauth_token=rt&oauth_token_secret=rts&oauth_callback_confirmed=true")
    var request = AuthorizationInput()
    request.provider = .preset(exchange.preset)
    request.clientId = "key"
    request.credentials.secret = Secret("secret")
    request.redirectUri = "oob"
    request.waits = false
    let prompt = try #require(try await stage.accounts.authorize(request).signIn)
    #expect(prompt.url == exchange.page)
    server.add(body: exchange.tokenResponse)
    #expect(try await stage.accounts.signIns.take(typed: Secret("pin"), signIn: prompt.id) == true)
    #expect(server.requests.map { "\($0.method) \($0.url)" } == exchange.requests)
    #expect(server.requests.map { $0.protocolParameter("oauth_signature_method") } == ["HMAC-SHA1", "HMAC-SHA1"])
    #expect(server.requests[0].protocolParameter("oauth_callback") == "oob")
    let grant = try #require(try stage.store.read(exchange.preset))
    #expect(Dictionary(uniqueKeysWithValues: grant.attributes.pairs.map { ($0.name, $0.value) }) == exchange.attributes)

    func call() async throws -> APIResponse {
      try await APICall(accounts: stage.accounts, request: APIRequest(account: exchange.preset, url: "me")) { _ in true }.run()
    }
    server.add(body: "{}")
    #expect(try await call().status == 200)
    #expect(server.requests[2].protocolParameter("oauth_token") == grant.accessToken?.value)
    // A 401 that does not blame the token leaves the account unchanged.
    server.add(status: 401, body: "{}")
    #expect(try await call().status == 401)
    #expect(try stage.store.read(exchange.preset)?.isRejected == false)
    guard let dead = exchange.dead else { return }
    server.add(status: dead.status, body: dead.body)
    #expect(try await call().serviceError != nil)
    #expect(try stage.store.read(exchange.preset)?.isRejected == true)
    request.interaction = .never
    #expect(await failureOf { try await stage.accounts.authorize(request) }?["reason"] == "expired")
  }

  @Test(arguments: [(200, "revoked"), (401, "revoked"), (403, "refused")])
  func xEndsATokenByARequestThatItSigns(status: Int, remote: String) async throws {
    let server = PreparedResponses()
    let stage = Stage(server)
    let provider = try ProviderCatalog.builtIn.resolve(.preset("x-oauth1"))
    try await stage.keep { grant in
      grant.provider = provider.source
      grant.tokenSecret = Secret("ats")
      grant.refreshToken = nil
    }
    // Error 89: the token is already invalid, as the caller wants.
    server.add(status: status, body: status == 401 ? #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"# : "{}")
    #expect(try await stage.accounts.revoke("a", requestID: nil).remote.rawValue == remote)
    #expect(server.requests.map { "\($0.method) \($0.url)" } == ["POST https://api.x.com/1.1/oauth/invalidate_token.json"])
    #expect(server.requests[0].protocolParameter("oauth_token") == "access-1")
    #expect(try stage.store.read("a") == nil)
  }
}
