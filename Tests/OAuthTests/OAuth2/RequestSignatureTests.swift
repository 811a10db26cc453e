import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Requests to the token endpoint that are signed with the client's secret.
struct RequestSignatureTests {
  private static let members =
    #"{"bodyFormat":"json","refreshGrantType":"","refreshTokenParameter":"none","sendsRedirectUriWithCode":false,"parameterNames":{"grant_type":""},"#
    + #""requestSignature":{"signature":"sign","timestamp":"time","clientId":"app"}}"#

  private func sent(_ request: TokenRequest, _ server: PreparedResponses = .init()) async throws -> HTTPRequest {
    server.add(body: #"{"access_token":"at"}"#)
    let stage = Stage(server, clock: ManualClock(at: 1_700_000_000))
    let endpoint = TokenEndpoint(
      try .described(Self.members), Client(id: "c", secret: Secret("s")), for: "a", stage.accounts.dependencies)
    _ = try await endpoint.ask(request)
    return try #require(server.requests.last)
  }

  /// The signatures come from another implementation (Python's hmac), computed over the body and 1700000000000.
  @Test func theBodyAndTheTimeAreSigned() async throws {
    let request = try await sent(.code(Secret("k"), redirectUri: "app:/", verifier: nil))
    #expect(request.text == #"{"code":"k"}"#)
    #expect(request.header("sign") == "b28df2ec507a016a296f071a0f6b76dce9e760e8fa07b065b9a990b49784bf09")
    #expect(request.header("time") == "1700000000000")
    #expect(request.header("app") == "c")
    #expect(request.header("Authorization") == nil, "the signature is the only credential")
  }

  @Test func whatHasNoBodyIsSignedByTheTimeAlone() async throws {
    let request = try await sent(.refresh(Secret("t"), redirectUri: nil))
    #expect(request.text == "")
    #expect(request.header("sign") == "d2f061a924242a54e74ab899a90aed2286c20c0f5021987e051a91ccf0c7d67d")
  }

  @Test func nothingIsSentThatCannotBeSigned() async throws {
    let server = PreparedResponses()
    let endpoint = TokenEndpoint(try .described(Self.members), Client(id: "c"), for: "a", Stage(server).accounts.dependencies)
    let failure = await failureOf { try await endpoint.ask(.refresh(Secret("t"), redirectUri: nil)) }
    #expect(failure?.kind == .configurationInvalid)
    #expect(server.requests.isEmpty)
  }
}
