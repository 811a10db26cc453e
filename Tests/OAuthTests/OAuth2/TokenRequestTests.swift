import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

struct TokenRequestTests {
  private static func provider(_ way: TokenOptions.ClientAuthentication) -> Provider {
    var provider = Provider()
    provider.tokenEndpoint = "https://id.example/token"
    provider.token.clientAuthentication = way
    return provider
  }

  private let code = TokenRequest.code(Secret("c+/&= ä"), redirectUri: "http://127.0.0.1:1/cb", verifier: Secret("v"))

  @Test func everyFieldIsFormEncoded() throws {
    let request = try #require(code.httpRequest(Self.provider(.basic), Client(id: "i d")))
    #expect(request.method == "POST")
    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      request.text == "grant_type=authorization_code&code=c%2B%2F%26%3D+%C3%A4&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb"
        + "&code_verifier=v&client_id=i+d")
    #expect(request.header("Authorization") == nil)
    #expect(request.timeout > 0 && request.maxBytes <= 1 << 20)
  }

  /// RFC 6749, 2.3.1: both halves are form-encoded before Basic joins them.
  @Test(arguments: [TokenOptions().clientAuthentication, .basic])
  func basicEncodesBothHalves(way: TokenOptions.ClientAuthentication) throws {
    let request = try #require(code.httpRequest(Self.provider(way), Client(id: "a:b", secret: Secret("p:w +ü"))))
    let expected = Base64.encode(Array("a%3Ab:p%3Aw+%2B%C3%BC".utf8))
    #expect(request.header("Authorization") == "Basic \(expected)")
    #expect(request.field("client_secret") == nil)
    #expect(request.field("client_id") == nil)
  }

  @Test func aRefreshRepeatsTheRedirectUriOnlyWhereTheProviderWantsIt() throws {
    var provider = Self.provider(.body)
    let refresh = TokenRequest.refresh(Secret("r"), redirectUri: "http://127.0.0.1:1/cb")
    #expect(try #require(refresh.httpRequest(provider, Client(id: "i"))).field("redirect_uri") == nil)
    provider.token.sendsRedirectUriOnRefresh = true
    provider.token.refreshParameters = NamedValues([("audience", "x")])
    provider.token.tokenParameters = NamedValues([("only", "codes")])
    let request = try #require(refresh.httpRequest(provider, Client(id: "i")))
    #expect(request.field("redirect_uri") == "http://127.0.0.1:1/cb")
    #expect(request.field("grant_type") == "refresh_token")
    #expect(request.field("refresh_token") == "r")
    #expect(request.field("audience") == "x")
    #expect(request.field("only") == nil)
    #expect(try #require(code.httpRequest(provider, Client(id: "i"))).field("only") == "codes")
  }

  @Test func withoutAnEndpointThereIsNoRequest() {
    let request = code.httpRequest(Provider(), Client(id: "i"))
    #expect(request.map(\.url) == nil)
  }
}
