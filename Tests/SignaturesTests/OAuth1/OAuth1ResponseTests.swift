import Testing

@testable import OAuthCore
@testable import Signatures

@Suite struct OAuth1ResponseTests {
  private typealias Fixture = OAuth1Fixture
  private let request = OAuth1Fixture.request("POST")

  private func temporary(_ status: Int = 200, _ body: String, headers: [HTTPHeader] = []) -> Result<TemporaryCredentials, OAuthFailure> {
    Result { () throws(OAuthFailure) in try TemporaryCredentials(Fixture.response(status, body, headers: headers), sent: request) }
  }

  private func token(_ body: String) -> Result<TokenCredentials, OAuthFailure> {
    Result { () throws(OAuthFailure) in try TokenCredentials(Fixture.response(200, body), sent: request) }
  }

  private func kind<Success>(_ result: Result<Success, OAuthFailure>) -> OAuthFailure.Kind? {
    if case .failure(let failure) = result { failure.kind } else { nil }
  }

  @Test func temporaryCredentials() throws {
    let response = try temporary(
      200, "oauth_token=hh5s93%2Fj+4&oauth_token_secret=hdhd0244%26&oauth_callback_confirmed=true&xoauth_request_auth_url=https%3A%2F%2Fx\n"
    ).get()
    #expect(response.token == Fixture.token("hh5s93/j+4", "hdhd0244&"))
    let json = try temporary(201, "\u{FEFF}{\"oauth_token\":\"a\",\"oauth_token_secret\":\"\",\"oauth_callback_confirmed\":true}").get()
    #expect(json.token == Fixture.token("a", ""))
  }

  @Test(arguments: ["\n", "\r\n", " \t", ""])
  func whiteSpaceAroundABodyDoesNotCount(space: String) throws {
    let members = "oauth_token=a&oauth_token_secret=b"
    #expect(try token(space + members + space).get().token == Fixture.token("a", "b"))
    let json = "\u{FEFF}{\"oauth_token\":\"a\",\"oauth_token_secret\":\"b\"}"
    #expect(try token(space + json + space).get().token == Fixture.token("a", "b"))
    #expect(try temporary(200, members + "&oauth_problem=&oauth_callback_confirmed=true" + space).get().token == Fixture.token("a", "b"))
  }

  /// The description may say that a server does not confirm the callback.
  @Test func anUnconfirmedCallback() throws {
    let response = Fixture.response(200, "oauth_token=a&oauth_token_secret=b")
    let failure = #expect(throws: OAuthFailure.self) { try TemporaryCredentials(response, sent: request) }
    #expect(failure?.message.contains("oauthCallbackConfirmed") == true)
    #expect(try TemporaryCredentials(response, sent: request, confirmation: .optional).token == Fixture.token("a", "b"))
  }

  @Test(arguments: [
    ("application/json", #"{"errors":[{"code":415,"message":"Callback URL not approved"}]}"#),
    ("application/xml", #"<?xml version="1.0"?><errors><error code="415">Callback URL not approved</error></errors>"#),
    ("text/plain", "Callback URL\nnot approved\n"), ("", "Callback URL not approved"),
  ])
  func theServersOwnWords(type: String, body: String) throws {
    let failure = try #require(
      OAuth1Problem(Fixture.response(403, body, headers: [HTTPHeader("Content-Type", type)]), sent: request)?.failure)
    #expect(failure["body"]?.string == String(body.trimmed))
    #expect(failure.message.hasSuffix(": Callback URL not approved"), "\(failure.message)")
  }

  @Test func aPageAndTheTargetOfARedirect() throws {
    let page = [HTTPHeader("Content-Type", "text/html"), HTTPHeader("Location", "https://id.example/new?t=token")]
    let failure = try #require(OAuth1Problem(Fixture.response(302, "<p>Moved token", headers: page), sent: request)?.failure)
    #expect(failure["location"] == "https://id.example/new?t=…" && failure["body"] == "<p>Moved …")
    #expect(failure.message == "the authorization server answered with a redirect, which is not followed here")
  }

  @Test(arguments: [
    "", "foo", "<html>oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=true", "oauth_token=a&oauth_token_secret=b",
    "oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=false", "oauth_token=a&oauth_callback_confirmed=true",
    "oauth_token=&oauth_token_secret=b&oauth_callback_confirmed=true", "oauth_token_secret=b&oauth_callback_confirmed=true",
    "oauth_token=a&oauth_token=c&oauth_token_secret=b&oauth_callback_confirmed=true", "{\"oauth_token\":",
    "oauth_token=a&oauth_token_secret=b&oauth_token_secret=c&oauth_callback_confirmed=true",
  ])
  func untrusted(body: String) { #expect(kind(temporary(200, body)) == .responseUntrusted) }

  @Test func tokenCredentials() throws {
    let response = try token(
      "oauth_token=a&oauth_token_secret=b&user_id=6253282&screen_name=X%20API&oauth_session_handle=h%3D&oauth_expires_in=3600"
        + "&oauth_authorization_expires_in=999999"
    ).get()
    #expect(response.token == Fixture.token("a", "b"))
    #expect(response["user_id"] == "6253282")
    #expect(response["screen_name"] == "X API")
    #expect(response.extra.map(\.name) == ["user_id", "screen_name"])
    #expect(response.sessionHandle == Secret("h="))
    #expect(response.expiresIn == 3600)
    #expect(response.authorizationExpiresIn == 999_999)
    #expect(try token("oauth_token=a&oauth_token_secret=b&oauth_expires_in=0").get().expiresIn == nil)
    #expect(try token("oauth_token=a&oauth_token_secret=b&oauth_expires_in=soon").get().expiresIn == nil)
    #expect(kind(token("oauth_token=a")) == .responseUntrusted)
  }

  @Test func authorizationURL() throws {
    let credentials = try temporary(200, "oauth_token=t%2B/&oauth_token_secret=s&oauth_callback_confirmed=true").get()
    let extra = ["domain": "example.com", "hd": "default", "hl": "de", "btmpl": "", "scope": "a b"]
    let parameters = ["domain", "hd", "hl", "btmpl", "scope"].map { OAuth1Parameter($0, extra[$0] ?? "") }
    #expect(
      try credentials.authorizationURL("https://example.com/authorize?v=1", parameters: parameters)
        == "https://example.com/authorize?v=1&oauth_token=t%2B%2F&domain=example.com&hd=default&hl=de&scope=a%20b")
    #expect(throws: OAuthFailure.self) { try credentials.authorizationURL("/authorize") }
  }

  @Test(
    arguments: [
      (401, "oauth_problem=signature_invalid&oauth_problem_advice=look+again%21", [], "signature_invalid", "look+again!"),
      (
        401, "", [HTTPHeader("WWW-Authenticate", "OAuth realm=\"x,y=z\", oauth_problem=\"nonce_used\",oauth_problem_advice=\"a%20b\"")],
        "nonce_used", "a b"
      ),
      (401, "", [HTTPHeader("www-authenticate", "Basic realm=\"a\", OAuth oauth_problem=token_expired")], "token_expired", nil),
      (400, "{\"oauth_problem\":\"parameter_absent\"}", [], "parameter_absent", nil),
      (401, "{\"errors\":[{\"code\":32,\"message\":\"Could not authenticate you.\"}]}", [], "32", "Could not authenticate you."),
      (403, "{\"error\":\"forbidden\",\"message\":\"no\"}", [], "forbidden", "no"),
      (400, "signature_invalid\nbase_string:GET&https%3A%2F%2F", [], "signature_invalid", nil),
      (401, "<html>no</html>", [], nil, nil), (401, "", [HTTPHeader("WWW-Authenticate", "OAuth realm=\"r\"")], nil, nil),
      (200, "oauth_problem=version_rejected&oauth_acceptable_versions=1.0-1.0", [], "version_rejected", nil), (302, "", [], nil, nil),
    ] as [(Int, String, [HTTPHeader], String?, String?)])
  func problems(status: Int, body: String, headers: [HTTPHeader], problem: String?, advice: String?) throws {
    let found = try #require(OAuth1Problem(Fixture.response(status, body, headers: headers), sent: request))
    #expect(found.problem == problem)
    #expect(found.advice == advice)
    #expect(found.failure.kind == .authorizationServerError)
    #expect(found.failure["httpStatus"] == .integer(status))
    #expect(found.failure["error"]?.string == problem)
    #expect(kind(temporary(status, body, headers: headers)) == .authorizationServerError)
  }

  @Test func successIsNoProblem() { #expect(OAuth1Problem(Fixture.response(200, "{\"error\":\"of the API\"}"), sent: request) == nil) }

  @Test func whatAProblemMeans() throws {
    func problem(_ body: String, _ status: Int = 401) throws -> OAuth1Problem {
      try #require(OAuth1Problem(Fixture.response(status, body), sent: request))
    }
    let rejected = try problem("oauth_problem=timestamp_refused&oauth_acceptable_timestamps=100-700")
    #expect(rejected.rejectsTimestamp && rejected.failure.isRetryable)
    #expect(rejected.failure["oauth_acceptable_timestamps"] == "100-700")
    #expect(try problem("oauth_problem=token_revoked").rejectsToken)
    #expect(try !problem("oauth_problem=signature_invalid").rejectsToken)
    #expect(try problem("oauth_problem=permission_denied").failure.kind == .accessDenied)
    #expect(try problem("", 503).failure.isRetryable)
    #expect(try !problem("", 401).failure.isRetryable)
  }

  /// Some servers quote their base string, which contains the token.
  @Test func quotedSecretsAreDropped() throws {
    let body = "oauth_problem=signature_invalid&oauth_problem_advice=POST%26oauth_token%253Dtoken%2526"
    let problem = try #require(OAuth1Problem(Fixture.response(401, body), sent: request))
    #expect(problem.problem == "signature_invalid")
    #expect(problem.advice == nil)
    let json = try #require(OAuth1Problem(Fixture.response(401, "{\"error\":\"token-secret\",\"message\":\"token\"}"), sent: request))
    #expect(json.problem == nil && json.advice == nil)
  }
}
