import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Clients that register themselves (RFC 7591), and clients that must not.
struct RegistrationTests {
  private func answer(_ body: String, status: Int = 201) throws -> RegistrationRequest.Response {
    try RegistrationRequest.Response(HTTPResponse(status: status, body: Array(body.utf8)), Provider())
  }

  @Test(arguments: [
    (#"{"client_id":""}"#, "has no client_id"), (#"{}"#, "has no client_id"), (#"{"client_id":"a\nb"}"#, "has no client_id"),
    ("hello", "has no client_id"),
    (#"{"client_id":"a","token_endpoint_auth_method":"private_key_jwt"}"#, "private_key_jwt"),
    (#"{"client_id":"a","client_secret":"s3\r\ncret"}"#, "a client_secret with invalid characters"),
    (#"{"client_id":"a","client_secret":"s3cret","token_endpoint_auth_method":"x s3cret"}"#, "client: x …"),
  ])
  func aResponseWithoutAUsableClientIsRejected(body: String, part: String) {
    let failure = #expect(throws: OAuthFailure.self) { try answer(body) }
    #expect(failure?.message.contains(part) == true, "\(failure?.message ?? "")")
  }

  /// A missing method keeps its requested value, but a secret without a method means Basic. The body is tried after Basic if it is listed.
  @Test(
    arguments: [
      (#"{"client_id":"a"}"#, "none", .basic, TokenOptions.ClientAuthentication.none),
      (#"{"client_id":"a"}"#, "client_secret_post", .body, .body),
      (#"{"client_id":"a","client_secret":"s"}"#, "none", .basic, .basic),
      (#"{"client_id":"a","client_secret":"s"}"#, "none", .body, .probe),
      (#"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":null}"#, "client_secret_post", .basic, .basic),
      (#"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":"client_secret_basic"}"#, "none", .probe, .basic),
      (#"{"client_id":"a","client_secret":"s","token_endpoint_auth_method":"client_secret_post"}"#, "none", .probe, .body),
    ] as [(String, String, TokenOptions.ClientAuthentication, TokenOptions.ClientAuthentication)])
  func theClientAuthenticationOfARegistration(
    body: String, requested: String, listed: TokenOptions.ClientAuthentication, way: TokenOptions.ClientAuthentication
  ) throws {
    var provider = Provider()
    provider.request.registrationParameters = NamedValues([("token_endpoint_auth_method", .string(requested))])
    provider.token.clientAuthentication = listed
    let answer = try RegistrationRequest.Response(HTTPResponse(status: 201, body: Array(body.utf8)), provider)
    #expect(answer.clientAuthentication == way)
  }

  @Test func aServerThatIsAwayMayBeAskedAgain() {
    let failure = #expect(throws: OAuthFailure.self) { try answer("", status: 503) }
    #expect(failure?.isRetryable == true)
  }

  @Test func anEmptySecretCountsAsMissing() throws {
    #expect(try answer(#"{"client_id":"a","client_secret":""}"#).client == Client(id: "a"))
  }

  /// A preset without a client ID is an error. The process must not register a client instead.
  @Test func aPresetsClientIsNotRegistered() async throws {
    let stage = Stage(PreparedResponses())
    var request = Stage.request()
    request.clientId = nil
    request.provider = .preset("keycloak")
    request.variables = .init([("host", "id.example"), ("realm", "staff")])
    let asked = request
    await #expect { try await stage.accounts.authorize(asked) } throws: { ($0 as? FieldError)?.path == "/clientId" }
  }

  @Test func anotherProviderThanTheGrantsGetsAClientOfItsOwn() async throws {
    let server = PreparedResponses()
    let stage = Stage(server)
    try await stage.keep { $0.isClientRegistered = true }
    var request = Stage.request(with: [
      .init("tokenEndpoint", "https://other.example/token"), .init("registrationEndpoint", "https://other.example/register"),
    ])
    (request.clientId, request.credentials.secret) = (nil, nil)
    server.add(status: 201, body: #"{"client_id":"registered"}"#)
    let (prompt, _) = try await stage.begin(request)
    #expect(Stage.parameter("client_id", of: prompt.url) == "registered")
    #expect(server.requests.map(\.url) == ["https://other.example/register"])
    #expect(server.requests.first?.text.contains("client-secret") == false)
  }

  private static let registering: AuthorizationInput = {
    var request = Stage.request(with: [.init("registrationEndpoint", "https://id.example/register")])
    (request.clientId, request.credentials.secret) = (nil, nil)
    request.interaction = .always
    return request
  }()

  /// Returns the client IDs of two sign-ins, one after the other.
  private func clients(registered: String) async throws -> [String?] {
    let server = PreparedResponses()
    let stage = Stage(server)
    server.add(status: 201, body: registered)
    let (prompt, state) = try await stage.begin(Self.registering)
    server.add(body: Self.tokens)
    _ = try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)&iss=https://id.example")
    _ = try? await stage.accounts.awaitSignIn(id: prompt.id, timeout: 60)
    server.add(status: 201, body: #"{"client_id":"second"}"#)
    let again = try await stage.begin(Self.registering)
    return [prompt, again.prompt].map { Stage.parameter("client_id", of: $0.url) }
  }

  private static let tokens = #"{"access_token":"A"}"#

  /// A sign-in may take 300 s, and the secret is needed at its end.
  @Test(arguments: [("0", "first"), ("1000300", "first"), ("1000299", "second"), (#""soon""#, "first")])
  func aClientWhoseSecretEndsIsNotUsedAgain(end: String, second: String) async throws {
    let registered = #"{"client_id":"first","client_secret":"s","client_secret_expires_at":\#(end)}"#
    #expect(try await clients(registered: registered) == ["first", second])
  }
}
