import Jansson
import TestSupport
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

/// How each description member about token responses changes their reading.
struct TokenResponseOptionsTests {
  private func read(_ body: String, _ members: String, status: Int = 200) throws -> TokenRequest.Response {
    try TokenRequest.Response(.json(body, status: status), try Provider.described(members).tokenResponse)
  }

  private func rejection(_ body: String, _ members: String, status: Int = 200) throws -> OAuthFailure? {
    do {
      _ = try read(body, members, status: status)
      return nil
    } catch let failure as OAuthFailure {
      return failure
    }
  }

  @Test func theTokensMayBeInsideAnObject() throws {
    let slack = #"{"tokenPath":"authed_user"}"#
    let first = #"{"ok":true,"access_token":"bot","authed_user":{"id":"U1","access_token":"user","scope":"a,b","expires_in":60}}"#
    let tokens = try read(first, slack)
    #expect(tokens.accessToken == Secret("user"))
    #expect(tokens.scopes == ["a", "b"])
    #expect(tokens.expiry == .seconds(60))
    // A response without that object has the tokens at the top. An object without a token is an error.
    #expect(try read(#"{"access_token":"refreshed"}"#, slack).accessToken == Secret("refreshed"))
    #expect(try rejection(#"{"access_token":"bot","authed_user":{"id":"U1"}}"#, slack)?.kind == .responseUntrusted)
  }

  @Test func membersMayHaveOtherNames() throws {
    let members = #"{"memberNames":{"access_token":"AccessToken","refresh_token":"data.refresh","expires_in":"tokens.0.ExpiresIn"}}"#
    let tokens = try read(#"{"AccessToken":"at","data":{"refresh":"rt"},"tokens":[{"ExpiresIn":7}],"expires_in":9}"#, members)
    #expect(tokens.accessToken == Secret("at"))
    #expect(tokens.refreshToken == Secret("rt"))
    #expect(tokens.expiry == .seconds(7))
    #expect(try rejection(#"{"access_token":"at"}"#, members)?.kind == .responseUntrusted)
    // A member's usual name counts if the response lacks the renamed one.
    #expect(try read(#"{"AccessToken":"at","expires_in":9}"#, members).expiry == .seconds(9))
  }

  @Test func facebooksOlderResponsesTellTheirEnd() throws {
    let options = try ProviderCatalog.builtIn.resolve(.preset("facebook")).tokenResponse
    let older = HTTPResponse(
      status: 200, headers: [HTTPHeader("Content-Type", "text/plain")], body: Array("access_token=FB1&expires=5183999".utf8))
    #expect(try TokenRequest.Response(older, options).expiry == .seconds(5_183_999))
    #expect(try TokenRequest.Response(.json(#"{"access_token":"FB1","expires_in":5183944}"#), options).expiry == .seconds(5_183_944))
  }

  @Test(arguments: [
    (#"{"tokenType":"Bearer"}"#, #""token_type":"User Access Token""#, "Bearer"), (#"{"tokenType":"OAuth"}"#, #""x":1"#, "OAuth"),
    (#"{"tokenTypeDefault":"OAuth"}"#, #""x":1"#, "OAuth"), (#"{"tokenTypeDefault":"OAuth"}"#, #""token_type":"bearer""#, "Bearer"),
    (#"{"tokenTypeDefault":"OAuth"}"#, #""token_type":"""#, "OAuth"), ("{}", #""x":1"#, "Bearer"),
  ])
  func theTokenType(members: String, answered: String, type: String) throws {
    #expect(try read(#"{"access_token":"t",\#(answered)}"#, members).tokenType == type)
  }

  @Test(
    arguments: [
      ("{}", "0", .unknown), (#"{"expiresZero":"never"}"#, "0", .unknown), (#"{"expiresZero":"expired"}"#, "0", .seconds(0)),
      (#"{"expiresZero":"expired"}"#, "-1", .unknown), (#"{"expiresDefault":86400}"#, "null", .seconds(86400)),
      (#"{"expiresDefault":86400}"#, "60", .seconds(60)), (#"{"expiresDefault":86400}"#, "0", .unknown),
      ("{}", "3155760001", .unknown), ("{}", "3155760000", .seconds(3_155_760_000)),
    ] as [(String, String, TokenExpiry)])
  func whenItEnds(members: String, value: String, expiry: TokenExpiry) throws {
    let found = try read(#"{"access_token":"t","expires_in":\#(value)}"#, members).expiry
    #expect(found == expiry)
    let now = Instant(seconds: 1000)
    #expect(found.end(from: now) == (expiry == .seconds(0) ? now : expiry.end(from: now)))
  }

  /// The end as an instant: under its own name, in ISO 8601, or as an `expires_in` that can only be one.
  @Test(
    arguments: [
      ("{}", #""expires_at":1900000000"#, 1_900_000_000), ("{}", #""expires_at":"1900000000""#, 1_900_000_000),
      ("{}", #""expires_at":1900000000000"#, 1_900_000_000), ("{}", #""expires_at":"2030-03-17T17:46:40Z""#, 1_900_000_000),
      ("{}", #""expires_at":3600"#, nil), ("{}", #""expires_at":"soon""#, nil), ("{}", #""expires_at":"9999-12-31T23:59:59Z""#, nil),
      (#"{"expiresDefault":60}"#, #""expires_at":"soon""#, now + 60), ("{}", #""expires_in":60,"expires_at":1900000000"#, now + 60),
      (#"{"memberNames":{"expires_in":"expires_at"}}"#, #""expires_at":"2030-03-17T17:46:40Z""#, 1_900_000_000),
      ("{}", #""expires_in":"2030-03-17T17:46:40.5+00:00""#, 1_900_000_000), ("{}", #""expires_in":1900000000"#, 1_900_000_000),
      ("{}", #""expires_in":999999999"#, now + 999_999_999),
      // As an instant, this one would have passed long ago.
      ("{}", #""expires_in":1500000000"#, now + 1_500_000_000),
    ] as [(String, String, Int?)])
  func theEndAsAnInstant(members: String, answered: String, end: Int?) throws {
    let tokens = try read(#"{"access_token":"t",\#(answered)}"#, members)
    #expect(tokens.expiry.end(from: Instant(seconds: Self.now))?.seconds == end)
  }

  @Test func theRefreshTokensEndAsAnInstant() throws {
    let tokens = try read(#"{"access_token":"t","refresh_token_expires_at":"2030-03-17T17:46:40Z"}"#, "{}")
    #expect(tokens.refreshTokenExpiry == .instant(1_900_000_000))
  }

  private static let now = 1_800_000_000

  /// Errors inside a 200, with codes and texts in unusual places. Only known names and those of the description are shown.
  @Test(
    arguments: [
      (#"{"tokenErrors":{"success":"ok"}}"#, #"{"ok":false,"error":"bad","access_token":"t"}"#, nil),
      (#"{"tokenErrors":{"success":"ok"}}"#, #"{"ok":false,"access_token":"t"}"#, nil),
      (#"{"tokenErrors":{"success":"message","code":"data.error_code"}}"#, #"{"message":"error","data":{"error_code":10007}}"#, nil),
      (#"{"tokenErrors":{"success":"status"}}"#, #"{"status":"failure","access_token":"t"}"#, nil),
      (#"{"tokenErrors":{"code":"errors.0.errorType"}}"#, #"{"errors":[{"errorType":"invalid_grant"}]}"#, "invalid_grant"),
      (#"{"tokenErrors":{"code":"errcode"}}"#, #"{"errcode":40029,"errmsg":"no"}"#, nil),
      (#"{"tokenErrors":{"code":"errcode","refused":["40029"]}}"#, #"{"errcode":40029,"errmsg":"no"}"#, "40029"),
    ] as [(String, String, String?)])
  func errorsInsideASuccess(members: String, body: String, code: String?) throws {
    let failure = try #require(try rejection(body, members))
    #expect(failure.kind == .authorizationServerError)
    #expect(failure["error"] == code.map(JSON.string))
  }

  @Test(arguments: [
    (#"{"tokenErrors":{"success":"ok"}}"#, #"{"ok":true,"error":"a warning"}"#), (#"{"tokenErrors":{"success":"ok"}}"#, "{}"),
    (#"{"tokenErrors":{"success":"status"}}"#, #"{"status":"Success"}"#), (#"{"tokenErrors":{"success":"status"}}"#, #"{"status":"OK"}"#),
    (#"{"tokenErrors":{"code":"errcode"}}"#, #"{"errcode":0}"#), (#"{"tokenErrors":{"code":"errcode"}}"#, #"{"errcode":"0"}"#),
    (#"{"tokenErrors":{"success":"message","code":"error.code"}}"#, #"{"message":"success","error":{"code":"ok"}}"#),
  ])
  func whatIsNoError(members: String, body: String) throws {
    let token: [JSON.Member] = [.init("access_token", "t")]
    let whole = JSON.object((try JSON.parse(Array(body.utf8)).members ?? []) + token)
    #expect(try read(String(decoding: whole.text, as: UTF8.self), members).accessToken == Secret("t"))
  }

  @Test func theTextOfAnError() throws {
    let members = #"{"tokenErrors":{"message":"errors.0.message"}}"#
    #expect(try rejection(#"{"error":"x","errors":[{"message":"why"}]}"#, members, status: 400)?["errorDescription"] == "why")
  }

  /// The description knows errors with other statuses, or in another place.
  @Test(
    arguments: [
      (#"{"refused":["invalid_code"]}"#, 200, #"{"error":"invalid_code"}"#, .login),
      (#"{"refused":["x"]}"#, 503, #"{"error":"x"}"#, .login),
      (#"{"refused":["40030"],"code":"errcode"}"#, 200, #"{"errcode":40030}"#, .login),
      (#"{"code":"errcode"}"#, 400, #"{"errcode":7}"#, .login), (#"{"code":"errcode"}"#, 200, #"{"errcode":7}"#, nil),
      (#"{"refused":["400"]}"#, 400, "", .login),
    ] as [(String, Int, String, Refusal?)])
  func codesThatEndAGrant(places: String, status: Int, body: String, refusal: Refusal?) throws {
    #expect(try rejection(body, #"{"tokenErrors":\#(places)}"#, status: status)?.refusal == refusal)
  }

  @Test func tokenMembersAreStored() throws {
    let members = #"{"tokenMembers":["instance_url","team.id","count","missing","list","odd","long"]}"#
    let odd = #""list":[1],"odd":"a\u0000","long":"\#(String(repeating: "x", count: 2049))""#
    let tokens = try read(
      #"{"access_token":"t","instance_url":"https://x.example","team":{"id":"T1"},"count":3,\#(odd)}"#, members)
    #expect(tokens.attributes == NamedValues([("instance_url", "https://x.example"), ("id", "T1"), ("count", "3")]))
  }
}
