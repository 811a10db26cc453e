import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform

@Suite struct ImportedGrantTests {
  private func read(_ format: ImportFormat, _ data: JSON, issuedAt: Int? = nil) throws(FieldError) -> ImportedGrant {
    try format.read(data, issuedAt: issuedAt, now: 1000).settled(by: TokenResponseOptions(), now: 1000)
  }

  @Test func gtmOAuthsString() throws {
    let grant = try read(
      .gtmoauth, "oauth_token=1%2Fab%2Bc&oauth_token_secret=s%26%20t&serviceProvider=Google&email=a%40b.example&isVerified=true")
    #expect(grant.accessToken == Secret("1/ab+c"))
    #expect(grant.tokenSecret == Secret("s& t"))
    #expect(grant.providerName == "Google")
    #expect(grant.email == "a@b.example")
    #expect(grant.attributes == NamedValues([("isVerified", "true")]))
    #expect(try read(.gtmoauth, "oauth_token=x").tokenSecret == Secret(""))
  }

  @Test func gtmOAuth2sStringWithARefreshTokenHasADeadAccessToken() throws {
    let grant = try read(.gtmoauth2, "refresh_token=1%2Fr&serviceProvider=Google&userID=42&email=a%40b.example&isVerified=true&scope=x%20y")
    #expect(grant.refreshToken == Secret("1/r"))
    #expect(grant.accessToken == nil)
    #expect(grant.expiresAt == 1000)
    #expect(grant.scopes == ["x", "y"])
    #expect(grant.subject == "42")
  }

  @Test func gtmOAuth2sStringWithoutARefreshToken() throws {
    let grant = try read(.gtmoauth2, "access_token=at&serviceProvider=x")
    #expect(grant.accessToken == Secret("at"))
    #expect(grant.expiresAt == nil)
  }

  static let acctok = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>access_token</key>
    	<string>ya29.a&amp;bc</string>
    	<key>nested</key>
    	<dict><key>access_token</key><string>wrong</string></dict>
    	<key>expires_in</key>
    	<integer>3600</integer>
    	<key>token_type</key>
    	<string>Bearer</string>
    </dict>
    </plist>
    """

  @Test func googleOAuthsFiles() throws {
    let data: JSON = ["acctok": .string(Self.acctok), "reftok": "1/refresh\n"]
    let grant = try read(.googleoauth, data, issuedAt: 500)
    #expect(grant.accessToken == Secret("ya29.a&bc"))
    #expect(grant.refreshToken == Secret("1/refresh"))
    #expect(grant.expiresAt == 4100)
    #expect(grant.tokenType == "Bearer")
    #expect(grant.providerName == "google")
    // If the token's age is unknown, its lifetime counts from now.
    #expect(try read(.googleoauth, data).expiresAt == 4600)
  }

  @Test(arguments: [
    ("bplist00xx", "is a binary property list; `plutil -convert xml1` makes one that can be read"),
    ("<plist><array/></plist>", "is not a property list with a dictionary"),
    ("<plist><dict>", "is not a property list with a dictionary"),
    ("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "is not a property list with a dictionary"),
    ("<plist><dict><key>&a;</key></dict></plist>", "is not a property list with a dictionary"),
  ])
  func whatIsNoPropertyList(_ text: String, _ problem: String) {
    let fault = #expect(throws: FieldError.self) { try read(.googleoauth, ["acctok": .string(text)]) }
    #expect(fault?.path == "/data/acctok")
    #expect(fault?.problem == problem)
  }

  @Test func sparksKeys() throws {
    let grant = try read(.spark, ["sparkAccessToken": "a", "sparkRefreshToken": "r", "sparkOpenId": "https://sparkplatform.com/openid/1"])
    #expect(grant.accessToken == Secret("a"))
    #expect(grant.tokenType == "OAuth")
    #expect(grant.subject == "https://sparkplatform.com/openid/1")
    #expect(try read(.spark, ["sparkOpenId": "https://x.example/1"]).accessToken == nil)
  }

  @Test func aTokenResponseAsObjectAndAsText() throws {
    let object = try read(.json, ["access_token": "a", "expires_in": 60, "scope": "x y", "team": ["id": 1]])
    #expect(object.tokenType == "Bearer")
    #expect(object.scopes == ["x", "y"])
    #expect(object.expiresAt == 1060)
    #expect(try read(.json, "ya29.a").accessToken == Secret("ya29.a"))
    #expect(try read(.json, ["access_token": "a", "expires_in": 60], issuedAt: 990).expiresAt == 1050)
    #expect(try read(.json, ["access_token": "a", "expires_in": 60, "expires_at": 2000], issuedAt: 990).expiresAt == 2000)
    #expect(try read(.json, #"{"oauth_token":"t","oauth_token_secret":"s"}"#).tokenSecret == Secret("s"))
  }

  /// The members that a description stores from token responses are also stored from imports. Tokens are not available among them.
  @Test func membersOfATokenResponseAreKept() async throws {
    let answer: JSON = [
      "access_token": "a", "refresh_token": "r", "team": ["id": 1], "instance_url": "https://x.salesforce.example", "other": "y",
    ]
    let imported = try ImportFormat.json.read(answer, issuedAt: nil, now: 1000)
    let members =
      #""apiBase":"{instance_url}/services/","endpointHosts":["*.salesforce.example"],"#
      + #""tokenMembers":["instance_url","team.id","none","refresh_token"]"#
    var request = AuthorizationInput()
    request.account = "a"
    request.clientId = "c"
    request.provider = .description(
      try #require(try JSON.parse(Array(#"{"tokenEndpoint":"https://id.example/token",\#(members)}"#.utf8)).members))
    let stage = Stage(PreparedResponses())
    let grant = try await stage.accounts.importGrant(imported, for: request, replaces: false)
    #expect(grant.attributes == NamedValues([("instance_url", "https://x.salesforce.example"), ("id", "1")]))
    #expect(try grant.resolvedProvider.api.apiBase == "https://x.salesforce.example/services/")
    // A member that leads to a foreign host is rejected, and nothing is stored.
    let evil = try ImportFormat.json.read(["access_token": "a", "instance_url": "https://evil.example"], issuedAt: nil, now: 1000)
    request.account = "b"
    let error = await #expect(throws: FieldError.self) { try await stage.accounts.importGrant(evil, for: request, replaces: false) }
    #expect(error?.path == "/data")
    #expect(try stage.store.read("b") == nil)
  }

  static let unreadable: [(ImportFormat, JSON, String, String)] = [
    (.gtmoauth, "oauth_token_secret=x", "/data", "has no oauth_token"),
    (.gtmoauth, "oauth_token=&oauth_token_secret=x", "/data", "has no oauth_token"),
    (.gtmoauth, ["a": "b"], "/data", "must be a string in the format gtmoauth, not an object"),
    (.gtmoauth2, "userID=1", "/data", "has neither refresh_token nor access_token"),
    (.googleoauth, "x", "/data", "must be an object, not a string"),
    (.googleoauth, .object([]), "/data", "has neither acctok nor reftok"),
    (.googleoauth, ["x/y": "z"], "/data/x~1y", "is unknown: the format's members are acctok, reftok"),
    (.spark, ["sparkRefreshToken": "r"], "/data", "has neither sparkAccessToken nor sparkOpenId"),
    (.spark, ["sparkAccessToken": 1], "/data/sparkAccessToken", "must be a string, not an integer"),
    (.json, "{", "/data", "is not valid JSON"), (.json, .array([]), "/data", "must be an object, not an array"),
    (.json, .object([]), "/data", "has neither access_token nor refresh_token nor oauth_token"),
    (.json, ["access_token": "a\r\nb"], "/data/access_token", "has characters that are invalid in a token"),
    (.json, ["access_token": "a", "token_type": "a b"], "/data/token_type", "is not the name of an authentication scheme"),
  ]

  @Test(arguments: unreadable.indices)
  func whatCannotBeRead(_ index: Int) {
    let (format, data, path, problem) = Self.unreadable[index]
    let fault = #expect(throws: FieldError.self) { try read(format, data) }
    #expect(fault?.path == path)
    #expect(fault?.problem == problem)
  }

  /// The value is stored with the grant and used in later calculations, so it must be valid.
  @Test(arguments: [Int.max, Int.min, -1, 253_402_300_800])
  func anInvalidInstant(issuedAt: Int) {
    let fault = #expect(throws: FieldError.self) {
      try read(.json, ["access_token": "at", "expires_in": 3600], issuedAt: issuedAt)
    }
    #expect(fault?.path == "/issuedAt")
  }
}
