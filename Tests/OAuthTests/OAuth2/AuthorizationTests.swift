import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Signatures

struct AuthorizationTests {
  private func request(_ endpoint: String = "https://id.example/authorize?tenant=1") -> AuthorizationRequest {
    AuthorizationRequest(
      endpoint: endpoint, clientId: "i&d", redirectUri: "http://127.0.0.1:80/c?x", scopes: ["a", "b c"], state: Secret("st"), nonce: nil,
      pkce: AuthorizationRequest.PKCE(random: [UInt8](repeating: 7, count: 32)), parameters: [], options: Self.commas)
  }

  private static var commas: AuthorizationOptions {
    var options = AuthorizationOptions()
    options.scopeSeparator = ","
    return options
  }

  /// RFC 7636, appendix B.
  @Test func pkceIsThatOfTheSpecification() {
    let pkce = AuthorizationRequest.PKCE(random: [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83,
      132,
      141, 121,
    ])
    #expect(pkce.verifier == Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  /// TikTok's challenge: the same digest in hexadecimal digits.
  @Test func aHexadecimalChallenge() {
    let pkce = AuthorizationRequest.PKCE(random: [UInt8](repeating: 7, count: 32), isHexadecimal: true)
    #expect(pkce.challenge == "dc4bf80c77473d130fa0de86ba4018fe98bb214005e6a5891d12ba91446f9e81")
  }

  /// WeChat's page needs a fragment.
  @Test func aFragmentFollowsTheParameters() throws {
    var request = request()
    request.options.authorizationFragment = "wechat_redirect"
    #expect(try #require(request.url).hasSuffix("&code_challenge_method=S256#wechat_redirect"))
    #expect(request.url(requestUri: "urn:r")?.hasSuffix("&request_uri=urn%3Ar#wechat_redirect") == true)
  }

  /// LinkedIn has its own words for a user who cancels.
  @Test func theProvidersOwnNamesOfErrors() throws {
    let names = try ProviderCatalog.builtIn.resolve(.preset("linkedin")).request.redirectErrorNames
    for (error, kind) in [("user_cancelled_login", OAuthFailure.Kind.accessDenied), ("user_cancelled", .authorizationServerError)] {
      let parameters = [RedirectParameter(name: "error", value: error)]
      let response = AuthorizationRequest.Response(parameters, issuer: nil, page: "https://id.example/authorize", errorNames: names)
      guard case .failure(let failure) = response else {
        Issue.record("no failure")
        return
      }
      #expect(failure.kind == kind && failure["error"] == .string(error))
    }
  }

  @Test func theEndpointsQueryIsKeptAndScopesAreJoinedByTheProvidersSeparator() throws {
    let url = try #require(request().url)
    #expect(url.hasPrefix("https://id.example/authorize?tenant=1&response_type=code&client_id=i%26d&redirect_uri=http%3A%2F%2F127"))
    #expect(Stage.parameter("scope", of: url) == "a,b c")
    #expect(Stage.parameter("code_challenge_method", of: url) == "S256")
    #expect(!url.contains("verifier") && !url.contains("nonce"))
  }

  @Test func extraParametersNeverReplaceOurs() throws {
    var request = request()
    let ours = ["response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method"]
    request.parameters = ours.map { ($0, "evil") } + [("prompt", "login")]
    let url = try #require(request.url)
    #expect(!url.contains("evil"))
    #expect(Stage.parameter("prompt", of: url) == "login")
  }

  @Test func anInvalidEndpointGivesNoUrl() { #expect(request("not a url").url == nil) }

  private func response(_ pairs: [(String, String)], issuer: String? = "https://id.example") -> AuthorizationRequest.Response {
    AuthorizationRequest.Response(
      pairs.map { RedirectParameter(name: $0.0, value: $0.1) }, issuer: issuer, page: "https://id.example/authorize")
  }

  private func kind(_ response: AuthorizationRequest.Response) -> OAuthFailure.Kind? {
    if case .failure(let failure) = response { failure.kind } else { nil }
  }

  @Test func bothIssuersAreSaid() {
    let other = "https://evil.example\n" + String(repeating: "x", count: 300)
    guard case .failure(let failure) = response([("code", "c"), ("iss", other)]) else {
      Issue.record("no failure")
      return
    }
    let named = "https://evil.example" + String(repeating: "x", count: 180)
    #expect(failure.message == "the redirect names the issuer \(named), but https://id.example was asked")
    #expect(failure["issuer"] == .string(named) && failure["wantedIssuer"] == "https://id.example")
  }

  @Test func anErrorResponseKeepsTheProvidersWords() {
    let pairs = [("error", "invalid_scope"), ("error_description", "no such\tscope: st4te"), ("state", "st4te")]
    guard case .failure(let failure) = response(pairs) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.message == "the authorization server rejected the sign-in: invalid_scope: no suchscope: …")
  }

  @Test func aCodeIsACode() {
    guard case .code(let code) = response([("code", "c"), ("iss", "https://id.example")]) else {
      Issue.record("no code")
      return
    }
    #expect(code == Secret("c"))
  }

  @Test(arguments: ["https://evil.example", "https://id.example/", "", "HTTPS://id.example"])
  func anotherIssuerIsNotTrusted(issuer: String) {
    #expect(kind(response([("code", "c"), ("iss", issuer)])) == .responseUntrusted)
    #expect(kind(response([("error", "access_denied"), ("iss", issuer)])) == .responseUntrusted)
  }

  /// RFC 9207 protects codes. An error response ends the sign-in even without an issuer.
  @Test func aPromisedIssuerIsWantedOfCodesAlone() {
    func kind(_ pairs: [(String, String)]) -> OAuthFailure.Kind? {
      self.kind(
        AuthorizationRequest.Response(
          pairs.map { RedirectParameter(name: $0.0, value: $0.1) }, issuer: "https://id.example", page: "https://id.example/authorize",
          isIssuerRequired: true))
    }
    #expect(kind([("error", "access_denied")]) == .accessDenied)
    #expect(kind([("code", "c")]) == .responseUntrusted)
    #expect(kind([("error", "access_denied"), ("iss", "https://evil.example")]) == .responseUntrusted)
  }

  @Test func errorsWinOverCodes() {
    #expect(kind(response([("code", "c"), ("error", "access_denied")])) == .accessDenied)
    #expect(kind(response([("error", "server_error")])) == .authorizationServerError)
    #expect(kind(response([])) == .responseUntrusted)
    #expect(kind(response([("code", "")])) == .responseUntrusted)
  }

  @Test func theProvidersWordsAreKept() {
    guard
      case .failure(let failure) = response([
        ("error", "temporarily_unavailable"), ("error_description", "a\u{7}\u{9B}\u{202E}b"), ("error_uri", "https://u"),
      ])
    else {
      Issue.record("no failure")
      return
    }
    #expect(failure["error"] == "temporarily_unavailable")
    #expect(failure["errorDescription"] == "ab")
    #expect(failure["errorUri"] == "https://u")
    #expect(failure.isRetryable)
  }
}
