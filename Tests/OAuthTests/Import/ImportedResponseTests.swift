import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Token responses that another program stored, in their provider's notation.
struct ImportedResponseTests {
  private static let now = 1_000_000

  private func read(_ data: String, _ members: String, issuedAt: Int? = nil) throws -> ImportedGrant {
    let options = try Provider.described(members).tokenResponse
    return try ImportFormat.json.read(try JSON.parse(Array(data.utf8)), issuedAt: issuedAt, now: Self.now).settled(
      by: options, now: Self.now)
  }

  private func preset(_ name: String, _ data: JSON) throws -> ImportedGrant {
    let provider = try ProviderCatalog.builtIn.resolve(
      .preset(name), variables: name == "plentymarkets" ? NamedValues([("host", "h.example")]) : .init())
    return try ImportFormat.json.read(data, issuedAt: Self.now - 10, now: Self.now).settled(by: provider.tokenResponse, now: Self.now)
  }

  @Test func namesAndPlacesAreTheProviders() throws {
    let camel = try preset("plentymarkets", ["tokenType": "Bearer", "expiresIn": 86_400, "accessToken": "A", "refreshToken": "R"])
    #expect(camel.accessToken == Secret("A") && camel.refreshToken == Secret("R") && camel.tokenType == "Bearer")
    #expect(camel.expiresAt == Self.now - 10 + 86_400)
    // Members with the specification's names are also accepted.
    #expect(try preset("plentymarkets", ["access_token": "A", "expires_in": 60]).expiresAt == Self.now + 50)
    let user = try preset(
      "slack-user",
      ["ok": true, "access_token": "bot", "authed_user": ["id": "U1", "access_token": "user", "scope": "a,b", "token_type": "user"]])
    #expect(user.accessToken == Secret("user") && user.scopes == ["a", "b"] && user.tokenType == "Bearer")
    let refresh = try preset("quickbooks", ["access_token": "A", "refresh_token": "R", "x_refresh_token_expires_in": 100])
    #expect(refresh.refreshTokenExpiresAt == Self.now + 90)
  }

  @Test(
    arguments: [
      (#"{"expiresDefault":86400}"#, #""x":1"#, now - 90_000, now - 3600),
      (#"{"expiresDefault":86400}"#, #""refresh_token":"r""#, nil, now), (#"{"expiresDefault":86400}"#, #""x":1"#, nil, nil),
      (#"{"expiresZero":"expired"}"#, #""expires_in":0"#, nil, now), ("{}", #""expires_in":0"#, now, nil),
      ("{}", #""expires_at":2000000.5"#, nil, 2_000_000), ("{}", #""expires_at":"2000000""#, nil, 2_000_000),
      ("{}", #""expires_at":1700000000000"#, nil, 1_700_000_000), ("{}", #""expires_at":900000.25"#, nil, 900_000),
      ("{}", #""expires_at":"2026-01-01","expires_in":60"#, now, now + 60), ("{}", #""expires_at":0,"expires_in":60"#, now, now + 60),
      (#"{"memberNames":{"expires_at":"ends"}}"#, #""ends":2000000"#, nil, 2_000_000),
      ("{}", #""expires_at":"2030-03-17T17:46:40Z""#, nil, 1_900_000_000),
      // What rclone, Azure, Node, MSAL and Doorkeeper write.
      ("{}", #""expiry":"2030-03-17T19:46:40.8948153+02:00""#, nil, 1_900_000_000),
      ("{}", #""expires_on":"1900000000""#, nil, 1_900_000_000),
      ("{}", #""expiry_date":1900000000123,"expires_in":60"#, nil, 1_900_000_000),
      ("{}", #""access_token_expiration":"1900000000""#, nil, 1_900_000_000), ("{}", #""tokenExpiry":1900000000"#, nil, 1_900_000_000),
      ("{}", #""expires_in":60,"created_at":900000"#, nil, 900_060),
      ("{}", #""expires_in":60,"created_at":900000"#, now, now + 60),
      ("{}", #""expires_in":60,"created_at":1900000000000"#, nil, 1_900_000_060),
      ("{}", #""expires_in":"60","created_at":"2030-03-17T17:46:40Z""#, nil, 1_900_000_060),
      // Facebook's is a lifetime.
      ("{}", #""expires":5183999"#, nil, now + 5_183_999), ("{}", #""expires":5183999,"created_at":1900000000"#, nil, 1_905_183_999),
      ("{}", #""client_secret_expires_at":1800000000"#, nil, nil),
      // It may have ended.
      ("{}", #""refresh_token":"r","expiresOn":"2030-03-17 17:46:40.000000""#, nil, now),
      ("{}", #""expiry":"0001-01-01T00:00:00Z","refresh_token_expires_at":1900000000,"ext_expires_on":5"#, nil, nil),
    ] as [(String, String, Int?, Int?)])
  func itsEndIsKnown(members: String, said: String, issuedAt: Int?, end: Int?) throws {
    #expect(try read(#"{"access_token":"a",\#(said)}"#, members, issuedAt: issuedAt).expiresAt == end)
  }

  @Test(arguments: ["expiry", "expires_on", "expires_at", "expiry_date", "access_token_expiration", "expiresAt", "token_expiry"])
  func anEndIsReadInEachUnit(name: String) throws {
    for value in ["1900000000", "1900000000000", #""1900000000""#, #""1900000000000""#, "1900000000.5", #""2030-03-17T17:46:40Z""#] {
      #expect(try read(#"{"access_token":"a","\#(name)":\#(value)}"#, "{}").expiresAt == 1_900_000_000)
    }
  }

  /// A time without a zone may be local, so it is not read.
  @Test(arguments: [
    (#""expiresOn":"2030-03-17 17:46:40.000000""#, ["expiresOn"]), (#""expiry":"0001-01-01T00:00:00Z","expires":"","expired":null"#, []),
    (#""expiresOn":"2030-03-17 17:46:40.000000","expires_on":1900000000"#, []), (#""expires_in":60,"expiry":"soon""#, []),
    (#""created_at":"yesterday""#, ["created_at"]),
  ]) func aMemberThatSeemsToBeItsEndIsNamed(said: String, names: [String]) throws {
    #expect(try read(#"{"access_token":"a",\#(said)}"#, "{}").unreadTimes == names)
  }

  @Test(arguments: [
    (#"{"access_token":"a","expires_at":"tomorrow"}"#, "{}", "/data/expires_at"),
    (#"{"access_token":"a","expires_at":-5}"#, "{}", "/data/expires_at"),
    (#"{"authed_user":{"access_token":"a b"}}"#, #"{"tokenPath":"authed_user"}"#, "/data/authed_user/access_token"),
    (#"{"accessToken":1}"#, #"{"memberNames":{"access_token":"accessToken"}}"#, "/data/accessToken"),
    (#"{"authed_user":{"id":"U1"},"access_token":"bot"}"#, #"{"tokenPath":"authed_user"}"#, "/data"),
  ])
  func aFaultIsReportedWithItsPath(data: String, members: String, path: String) {
    let fault = #expect(throws: FieldError.self) { try read(data, members) }
    #expect(fault?.path == path)
  }

  /// Exported grants use the specification's names , whatever the provider uses.
  @Test func exportedGrantsAreReadAsWritten() throws {
    var grant = Grant(
      account: "a", provider: .object([]), client: Client(id: "c"), accessToken: Secret("a"), tokenType: "Bearer", issuedAt: Self.now)
    grant.expiresAt = Self.now + 60
    let data = grant.tokenResponse(at: Self.now)
    let options = try Provider.described(#"{"memberNames":{"access_token":"AT"},"tokenType":"X"}"#)
      .tokenResponse
    var writer = JSONWriter()
    writer.value(data)
    let read = try ImportFormat.json.read(try JSON.parse(writer.bytes), issuedAt: nil, now: Self.now).settled(by: options, now: Self.now)
    #expect(read.accessToken == Secret("a") && read.tokenType == "Bearer" && read.expiresAt == Self.now + 60)
  }

  /// SparkAPI used a constant redirect URI, and Spark requires it with every refresh.
  @Test(arguments: [nil, "https://app.example/callback"])
  func sparksRedirectUriIsSentWithItsRefresh(redirectUri: String?) async throws {
    let server = PreparedResponses()
    let stage = Stage(server)
    server.add(body: #"{"access_token":"new"}"#)
    var request = AuthorizationInput()
    (request.account, request.clientId, request.credentials.secret, request.redirectUri) = ("a", "c", Secret("s"), redirectUri)
    let imported = try ImportFormat.spark.read(["sparkAccessToken": "a", "sparkRefreshToken": "r"], issuedAt: nil, now: Self.now)
    _ = try await stage.accounts.importGrant(imported, for: request, replaces: false)
    _ = try await stage.accounts.refresh("a", validity: 60, force: true, requestID: nil)
    let body = try JSON.parse(Array(try #require(server.requests.first).text.utf8))
    #expect(body["redirect_uri"]?.string == redirectUri ?? "https://sparkplatform.com/oauth2/callback")
    // If the token's age is known, its expiry is known.
    #expect(
      try ImportFormat.spark.read(["sparkAccessToken": "a"], issuedAt: 500, now: 1000)
        .settled(by: try ProviderCatalog.builtIn.resolve(.preset("spark")).tokenResponse, now: 1000).expiresAt == 86_900)
  }
}
