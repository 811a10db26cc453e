import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

struct RevocationRequestTests {
  private func provider(_ style: RevocationOptions.Style?, _ endpoint: String? = "https://id.example/{clientId}/revoke") -> Provider {
    var provider = Provider()
    provider.revocation.revocationEndpoint = endpoint
    provider.revocation.revocationStyle = style
    provider.token.clientAuthentication = .body
    return provider
  }

  @Test func withoutAWayThereIsNoRequest() {
    let revocation = RevocationRequest(token: Secret("t"), hint: "access_token")
    #expect(revocation.httpRequest(provider(RevocationOptions.Style.none), Client(id: "i")).map(\.url) == nil)
    #expect(revocation.httpRequest(provider(nil, nil), Client(id: "i")).map(\.url) == nil)
    // GitHub's way needs the client's secret.
    #expect(revocation.httpRequest(provider(.deleteWithBasic), Client(id: "i")).map(\.url) == nil)
  }

  @Test(arguments: [
    (200, "", "revoked"), (204, "", "revoked"), (401, "", "refused"), (403, "<html>", "refused"), (404, "", "refused"),
    (405, "", "refused"), (501, "", "refused"), (400, #"{"error":"unsupported_token_type"}"#, "refused"), (410, "", "refused"),
    (400, #"{"error":"invalid_client"}"#, "refused"), (401, #"{"error":"invalid_client"}"#, "refused"),
    (400, #"{"error":"invalid_token"}"#, "revoked"), (400, #"{"error":"invalid_grant"}"#, "revoked"),
    (400, #"{"error":"invalid_request"}"#, "refused"), (500, "", "failed"), (503, "", "failed"), (302, "", "refused"), (429, "", "failed"),
    (503, #"{"error":"invalid_token"}"#, "failed"), (200, #"{"error":"unsupported_token_type"}"#, "refused"),
    (200, #"{"ok":false,"error":"x"}"#, "refused"), (200, #"{"error":"invalid_token"}"#, "revoked"), (200, #"{"error":""}"#, "revoked"),
    (200, "<html>error=x</html>", "revoked"),
  ])
  func outcomes(status: Int, body: String, expected: String) {
    #expect(word(RevocationRequest.outcome(.json(body, status: status))) == expected)
  }

  /// The token itself authenticates some requests, and its end is then a challenge.
  @Test func aChallengeThatNamesTheToken() {
    let challenge = HTTPHeader("WWW-Authenticate", #"Bearer error="invalid_token""#)
    #expect(RevocationRequest.outcome(HTTPResponse(status: 401, headers: [challenge])) == .revoked)
  }

  private func word(_ outcome: RevocationRequest.Outcome) -> String {
    switch outcome {
    case .revoked: "revoked"
    case .unsupported: "unsupported"
    case .refused: "refused"
    case .failed: "failed"
    }
  }

  /// Weibo's name for the token, and Stack Exchange's place for it.
  @Test(arguments: [
    (
      #""revocationStyle":"get","revocationTokenParameter":"access_token","revocationEndpoint":"https://id.example/r""#,
      "GET https://id.example/r?access_token=t%26", ""
    ),
    (
      #""revocationStyle":"query","revocationTokenParameter":"at","revocationEndpoint":"https://id.example/r?v=1""#,
      "POST https://id.example/r?v=1&at=t%26", "client_id=i&client_secret=s"
    ),
    (
      #""revocationTokenParameter":"at","revocationEndpoint":"https://id.example/r""#,
      "POST https://id.example/r", "at=t%26&token_type_hint=access_token&client_id=i&client_secret=s"
    ),
    (
      #""revocationStyle":"json","revocationTokenParameter":"access_token","revocationEndpoint":"https://id.example/r""#,
      "POST https://id.example/r", #"{"access_token":"t&"}"#
    ),
    (
      #""revocationStyle":"deleteWithBasic","revocationTokenParameter":"at","revocationEndpoint":"https://id.example/r""#,
      "DELETE https://id.example/r", #"{"at":"t&"}"#
    ),
    (
      #""revocationStyle":"get","revocationEndpoint":"https://id.example/{clientId}/{accessToken}/end?x=1""#,
      "GET https://id.example/i/t%26/end?x=1", ""
    ),
    (
      #""revocationStyle":"query","revocationEndpoint":"https://id.example/end?t={accessToken}""#,
      "POST https://id.example/end?t=t%26", "client_id=i&client_secret=s"
    ),
  ])
  func theTokensNameAndPlace(members: String, line: String, body: String) throws {
    let provider = try Provider.described(#"{"clientAuthentication":"body",\#(members)}"#)
      .filled(with: .init(), client: Client(id: "i"), isComplete: true)
    let request = try #require(
      RevocationRequest(token: Secret("t&"), hint: "access_token").httpRequest(provider, Client(id: "i", secret: Secret("s"))))
    #expect("\(request.method) \(request.url)" == line && request.text == body)
  }

  /// A refresh token must not be sent in the access token's place.
  @Test func aPlaceForTheAccessTokenTakesNoOther() throws {
    let provider = try Provider.described(#"{"revocationStyle":"get","revocationEndpoint":"https://id.example/{accessToken}/end"}"#)
    #expect(RevocationRequest(token: Secret("t"), hint: "refresh_token").httpRequest(provider, Client(id: "i")) == nil)
  }

  /// If the account's own values give the host, it must be the provider's, even with a token in the path.
  @Test func aTokensPlaceDoesNotHideAHost() throws {
    let members = #"{"callbackMembers":["h"],"revocationStyle":"get","revocationEndpoint":"https://{h}/{accessToken}/end"}"#
    let provider = try Provider.described(members)
    let failure = #expect(throws: OAuthFailure.self) {
      try provider.filled(with: NamedValues([("h", "evil.example")]), client: Client(id: "i"))
    }
    #expect(failure?.kind == .responseUntrusted)
  }

  @Test func aTokenThatIsAlreadyInvalidCountsAsRevoked() throws {
    let options = try Provider.described(#"{"tokenErrors":{"success":"result","refused":["expired_token"]}}"#).tokenResponse
    #expect(RevocationRequest.outcome(.json(#"{"error":"expired_token","error_code":21327}"#, status: 400), options) == .revoked)
    #expect(RevocationRequest.outcome(.json(#"{"result":"true"}"#), options) == .revoked)
    #expect(RevocationRequest.outcome(.json(#"{"result":"false"}"#), options) == .refused)
  }

  @Test(
    arguments: [
      (nil, .both, true, true), (nil, .access, true, false), (nil, .refresh, false, true), (.query, .both, true, true),
      (.bearer, .both, true, false), (.delete, .both, true, false), (.deleteWithBasic, .both, true, false), (.signed, .both, false, false),
    ] as [(RevocationOptions.Style?, RevocationOptions.Tokens, Bool, Bool)])
  func whichTokensAreRevoked(style: RevocationOptions.Style?, tokens: RevocationOptions.Tokens, tellsAccess: Bool, tellsRefresh: Bool) {
    var provider = provider(style)
    provider.revocation.revocationToken = tokens
    func isTold(_ hint: String) -> Bool {
      RevocationRequest(token: Secret("t"), hint: hint).httpRequest(provider, Client(id: "i", secret: Secret("s"))) != nil
    }
    #expect(isTold("access_token") == tellsAccess)
    #expect(isTold("refresh_token") == tellsRefresh)
  }
}
