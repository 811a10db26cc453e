import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Token responses as servers send them: read leniently, checked strictly.
struct AuthorizationServerResponseTests {
  private func read(_ body: String, status: Int = 200) throws -> TokenRequest.Response {
    try TokenRequest.Response(.json(body, status: status))
  }

  private func rejection(_ body: String, status: Int = 200) -> OAuthFailure? {
    do {
      _ = try TokenRequest.Response(.json(body, status: status))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (#""expires_in":3600"#, 3600), (#""expires_in":"3600""#, 3600), (#""expires_in":3600.9"#, 3600), (#""x":1"#, nil),
    (#""expires_in":0"#, nil), (#""expires_in":-1"#, nil), (#""expires_in":"soon""#, nil), (#""expires_in":null"#, nil),
    (#""expires_in":"nan""#, nil), (#""expires_in":"inf""#, nil), (#""expires_in":"0x10""#, nil), (#""expires_in":" 60 ""#, 60),
    (#""expires_in":9e300"#, nil), (#""expires_in":true"#, nil),
    (#""expires_in":99999999999999999999"#, nil), (#""other":99999999999999999999,"expires_in":60"#, 60),
  ])
  func lifetimes(member: String, seconds: Int?) throws {
    #expect(try read(#"{"access_token":"t",\#(member)}"#).expiry.end(from: Instant(seconds: 0))?.seconds == seconds)
  }

  @Test(arguments: [
    (#""token_type":"bearer""#, "Bearer"), (#""token_type":"BEARER""#, "Bearer"), (#""x":1"#, "Bearer"),
    (#""token_type":"""#, "Bearer"), (#""token_type":null"#, "Bearer"), (#""token_type":"OAuth2""#, "OAuth2"),
  ])
  func tokenTypes(member: String, type: String) throws {
    #expect(try read(#"{"access_token":"t",\#(member)}"#).tokenType == type)
  }

  @Test(arguments: ["Bearer x\\r\\nEvil: 1", "a b", "b\\u00e4r", "a:b"])
  func aTokenTypeThatIsNoSchemeIsRejected(type: String) {
    #expect(rejection(#"{"access_token":"t","token_type":"\#(type)"}"#)?.kind == .responseUntrusted)
  }

  @Test(arguments: [
    (#""scope":"a b""#, ["a", "b"]), (#""scope":"a,b""#, ["a", "b"]), (#""scope":["a","b"]"#, ["a", "b"]), (#""scope":"""#, []),
    (#""x":1"#, nil), (#""scope":null"#, nil), (#""scope":" a  b ""#, ["a", "b"]),
  ])
  func scopes(member: String, scopes: [String]?) throws {
    #expect(try read(#"{"access_token":"t",\#(member)}"#).scopes == scopes)
  }

  /// A server may send tokens with an error, and repeat them in its words.
  @Test func receivedSecretsAreNotQuoted() throws {
    let body = #"""
      {"access_token":"t0k3n-a","data":{"refresh_token":"t0k3n-b","client_secret":"t0k3n-c"},"message":"no use for t0k3n-b"}
      """#
    let failure = try #require(rejection(body, status: 500))
    let shown = String(decoding: JSON.object(failure.details).text, as: UTF8.self) + failure.message
    #expect(!shown.contains("t0k3n") && shown.contains("no use for …"))
  }

  @Test func aByteOrderMarkIsPassedOver() throws {
    #expect(try read("\u{FEFF} {\"access_token\":\"t\"}").accessToken == Secret("t"))
  }

  @Test(arguments: [
    "", "   ", "{}", "[]", "null", "\"t\"", "{\"access_token\":\"\"}", "{\"access_token\":1}", "{\"access_token\":null}",
    "<html>access_token=t</html>", "{\"access_token\":\"t\"", "{\"access_token\":\"a\\nb\"}", "{\"access_token\":\"a b\"}",
    "{\"access_token\":\"\\u00e4\"}", "{\"access_token\":\"t\",\"access_token\":\"u\"}",
  ])
  func withoutAUsableTokenNothingIsTrusted(body: String) {
    #expect(rejection(body)?.kind == .responseUntrusted)
  }

  /// The message says what came instead of a token, without any value.
  @Test(
    arguments: [
      (
        200, "text/html; charset=utf-8", "<html>sign in to the café</html>",
        "status 200, text/html; if the network wants a sign-in of its own (captive portal), do that first"
      ), (204, nil, "", "status 204, no body"),
      (200, "application/json", "{}", "status 200, application/json"), (200, "x-s3cret y", "access=s3cret", "status 200"),
      (
        200, "application/json", #"{"data":{"credential":"s3cret"},"meta":1}"#,
        "status 200, application/json; if it has the token under another name, give that as tokenPath or memberNames in the provider's description"
      ),
    ] as [(Int, String?, String, String)])
  func theMessageSaysWhatCame(status: Int, type: String?, body: String, said: String) {
    let headers = type.map { [HTTPHeader("Content-Type", $0)] } ?? []
    let failure = #expect(throws: OAuthFailure.self) {
      try TokenRequest.Response(HTTPResponse(status: status, headers: headers, body: Array(body.utf8)))
    }
    #expect(failure?.message == "the token response has no access token: \(said)")
  }

  @Test func theMessageNamesTheTokenTypesOption() {
    let failure = rejection(#"{"access_token":"t","token_type":"User Access Token"}"#)
    #expect(failure?.message.hasPrefix("token_type of the token response is not the name of an authentication scheme: name") == true)
    #expect(failure?.message.contains("as tokenType in") == true)
  }

  @Test func theMessageHasTheProvidersWords() {
    let long = String(repeating: "é", count: 300)
    #expect(
      rejection(#"{"error":"invalid_client","error_description":"The client is\u0000 unknown."}"#, status: 401)?.message
        == "the authorization server answered with invalid_client: The client is unknown")
    #expect(
      rejection(#"{"error":"invalid_client","error_description":"\#(long)"}"#, status: 401)?.message
        == "the authorization server answered with invalid_client: " + String(repeating: "é", count: 200) + "…")
    let silent = rejection(#"{"error":"invalid_client","error_description":""}"#)
    #expect(silent?.message == "the authorization server answered with invalid_client")
    let hidden = Redaction([Secret("s3cret-code")])
    let failure = #expect(throws: OAuthFailure.self) {
      try TokenRequest.Response(
        .json(#"{"error":"invalid_grant","error_description":"no s3cret-code"}"#, status: 400), .init(), hiding: hidden)
    }
    #expect(failure?.message == "the authorization server answered with invalid_grant: no …")
  }

  /// A part of a response with status 2xx may be a token, so only known names of errors are shown.
  @Test(
    arguments: [
      (#"{"error":"bad_verification_code","error_description":"wrong","error_uri":"https://x"}"#, "bad_verification_code"),
      (#"{"error":{"type":"OAuthException","message":"m","code":190}}"#, nil), (#"{"error":true}"#, nil),
      (#"{"error":"s3cr3t","error_codes":["s3cr3t"]}"#, nil),
      ("error=incorrect_client_credentials&error_description=The+id", "incorrect_client_credentials"),
      (#"{"access_token":"t","error":"invalid_scope"}"#, "invalid_scope"),
    ] as [(String, String?)])
  func anErrorInsideASuccessCounts(body: String, error: String?) {
    let failure = rejection(body)
    #expect(failure?.kind == .authorizationServerError)
    let unknown = "an error that may contain tokens and is not shown, with status 200"
    #expect(failure?.message == "the authorization server answered with \(error ?? unknown)")
    #expect(failure?.details.map(\.name) == (error == nil ? [] : ["error"]) + ["httpStatus"])
  }

  @Test(arguments: ["", "<html><body>Bad <b>x=1</b></body></html>", "{\"broken\":", "\u{0}\u{1}"], [400, 401, 403, 500, 302])
  func errorsWithoutAWordAreErrors(body: String, status: Int) {
    let failure = rejection(body, status: status)
    #expect(failure?.kind == .authorizationServerError)
    #expect(failure?["httpStatus"] == .integer(status))
    #expect(failure?["error"] == nil)
    #expect(failure?.isRetryable == (status == 500))
  }

  /// An OAuth error ends the login, whatever its word. A page of a proxy or a framework says nothing about the login.
  @Test(
    arguments: [
      (400, #"{"error":"invalid_grant"}"#, .login), (401, #"{"error":"invalid_grant"}"#, .login),
      (403, #"{"error":"access_denied"}"#, .login),
      (400, #"{"error":"unauthorized_client"}"#, .login), (400, #"{"error":"invalid_request","error_description":"no"}"#, .login),
      (400, #"{"error":"interaction_required","suberror":"basic_action"}"#, .login), (400, "error=invalid_grant&error_uri=x", .login),
      (400, #"{"error":"a word of its own"}"#, .login), (401, #"{"error":"unauthorized"}"#, .login),
      (401, #"{"error":"invalid_client"}"#, .client), (400, "error=invalid_client", .client),
      (400, #"{"error":"Bad Request","status":400}"#, nil), (401, #"{"error":"Unauthorized"}"#, nil), (403, #"{"error":"Forbidden"}"#, nil),
      (400, #"{"error":"temporarily_unavailable"}"#, nil), (400, #"{"error":"server_error"}"#, nil), (400, #"{"error":"slow_down"}"#, nil),
      (400, #"{"error":"use_dpop_nonce"}"#, nil), (400, #"{"error":"invalid_dpop_proof"}"#, nil),
      (400, #"{"error":"invalid_request","error_description":"DPoP proof is not active"}"#, nil),
      (400, "", nil), (401, " \r\n", nil), (403, "<html>error=invalid_grant</html>", nil),
      (400, "Bad Request", nil), (400, "{}", nil), (400, #"{"message":"no"}"#, nil), (400, #"{"error":""}"#, nil),
      (400, #"{"error":true}"#, nil),
      (400, #"{"error":{"type":"OAuthException","code":1}}"#, nil), (400, #"{"error":"invalid_grant""#, nil),
      (200, #"{"error":"invalid_grant"}"#, .login), (200, #"{"error":"invalid_scope"}"#, nil),
      (200, #"{"error":"invalid_grant","access_token":"t"}"#, nil),
      (404, #"{"error":"invalid_grant"}"#, nil), (429, #"{"error":"invalid_grant"}"#, nil),
      (500, #"{"error":"invalid_grant"}"#, nil), (503, #"{"error":"invalid_client"}"#, nil), (307, "", nil),
    ] as [(Int, String, Refusal?)])
  func whatARefusalSaysAboutTheLogin(status: Int, body: String, refusal: Refusal?) {
    #expect(rejection(body, status: status)?.refusal == refusal)
  }

  @Test(arguments: [(408, true), (429, true), (500, true), (503, true), (599, true), (400, false), (401, false), (404, false)])
  func temporaryErrorsAreRetryable(status: Int, isRetryable: Bool) {
    #expect(rejection(#"{"error":"x"}"#, status: status)?.isRetryable == isRetryable)
  }

  @Test func aServersWordsAreCutAndCleaned() {
    let failure = rejection(#"{"error":"a\u0007b","error_description":"\#(String(repeating: "x", count: 5000))"}"#, status: 400)
    #expect(failure?["error"] == "ab")
    #expect(failure?["errorDescription"]?.string?.utf8.count == 500)
  }

  @Test func quotedRequestValuesAreMasked() async {
    let server = PreparedResponses()
    server.add(
      status: 400,
      body:
        #"{"error":"no code-123","error_description":"code-123 / verifier-1 / s3cret","error_codes":["code-123",{"code-123":"verifier-1"}]}"#
    )
    var provider = Provider()
    provider.tokenEndpoint = "https://id.example/token"
    let endpoint = TokenEndpoint(provider, Client(id: "i", secret: Secret("s3cret")), for: "a", Stage(server).accounts.dependencies)
    let failure = await failureOf { try await endpoint.ask(.code(Secret("code-123"), redirectUri: "", verifier: Secret("verifier-1"))) }
    let text = "\(String(describing: failure))"
    #expect(failure?["error"] == "no …")
    for secret in ["code-123", "verifier-1", "s3cret"] { #expect(!text.contains(secret)) }
  }
}
