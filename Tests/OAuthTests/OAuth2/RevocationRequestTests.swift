import Jansson
import Testing

@testable import OAuth

struct RevocationRequestTests {
  private func provider(_ style: Provider.RevocationStyle?, _ endpoint: String? = "https://id.example/{clientId}/revoke") -> Provider {
    var provider = Provider()
    provider.revocationEndpoint = endpoint
    provider.revocationStyle = style
    provider.clientAuthentication = .body
    return provider
  }

  @Test func theFormNamesTheTokenAndItsKind() throws {
    let revocation = RevocationRequest(token: Secret("t&"), hint: "refresh_token")
    let request = try #require(revocation.httpRequest(provider(nil, "https://id.example/r"), Client(id: "i", secret: Secret("s"))))
    #expect(request.text == "token=t%26&token_type_hint=refresh_token&client_id=i&client_secret=s")
  }

  @Test func githubsWayIsADeleteWithBasic() throws {
    let revocation = RevocationRequest(token: Secret("t\""), hint: "access_token")
    let request = try #require(revocation.httpRequest(provider(.deleteWithBasic), Client(id: "i/d", secret: Secret("s"))))
    #expect(request.method == "DELETE")
    #expect(request.url == "https://id.example/i%2Fd/revoke")
    #expect(request.text == #"{"access_token":"t\""}"#)
    #expect(request.header("Authorization")?.hasPrefix("Basic ") == true)
    #expect(revocation.httpRequest(provider(.deleteWithBasic), Client(id: "i")).map(\.url) == nil)
  }

  @Test func withoutAWayThereIsNoRequest() {
    let revocation = RevocationRequest(token: Secret("t"), hint: "access_token")
    #expect(revocation.httpRequest(provider(Provider.RevocationStyle.none), Client(id: "i")).map(\.url) == nil)
    #expect(revocation.httpRequest(provider(nil, nil), Client(id: "i")).map(\.url) == nil)
  }

  @Test(arguments: [
    (200, "", "revoked"), (204, "", "revoked"), (401, "", "unsupported"), (403, "<html>", "unsupported"), (404, "", "unsupported"),
    (405, "", "unsupported"), (501, "", "unsupported"), (400, #"{"error":"unsupported_token_type"}"#, "unsupported"),
    (400, #"{"error":"invalid_client"}"#, "unsupported"), (400, #"{"error":"invalid_token"}"#, "revoked"),
    (400, #"{"error":"invalid_request"}"#, "failed"), (500, "", "failed"), (503, "", "failed"), (302, "", "failed"), (429, "", "failed"),
  ])
  func outcomes(status: Int, body: String, expected: String) {
    let word =
      switch RevocationRequest.outcome(.json(body, status: status)) {
      case .revoked: "revoked"
      case .unsupported: "unsupported"
      case .failed: "failed"
      }
    #expect(word == expected)
  }
}
