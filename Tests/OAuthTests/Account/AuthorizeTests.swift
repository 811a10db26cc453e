import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// Tests what `authorize` finds, refreshes or asks for.
struct AuthorizeTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  /// A token that is valid for an hour counts as expired 60 seconds early.
  @Test(arguments: [(61, Authorization.Source.stored), (60, .refreshed), (0, .refreshed), (-5, .refreshed)])
  func tokensExpireEarly(seconds: Int, via: Authorization.Source) async throws {
    server.add(body: #"{"access_token":"A","expires_in":1000}"#)
    try await stage.keep(expiresIn: seconds) { $0.issuedAt -= 3600 }
    #expect(try await stage.accounts.authorize(Stage.request()).via == via)
  }

  /// LinkedIn's tokens are valid for sixty days and have no refresh token. In the last three days the user signs in again.
  @Test(arguments: [
    (259_201, 0, nil, false), (259_200, 0, nil, true), (259_200, 0, "refresh-1", false),
    // A token that is valid for an hour counts as new for half an hour.
    (1_801, 1_799, nil, false), (1_800, 1_800, nil, true),
  ])
  func tokensThatCannotBeRenewedNeedAnEarlySignIn(left: Int, age: Int, refreshToken: String?, asks: Bool) async throws {
    let age = age == 0 ? 5_184_000 - left : age
    try await stage.keep(expiresIn: left, refreshToken: refreshToken) { $0.issuedAt -= age }
    var request = Stage.request(with: [.init("signInAgainWithin", 259_200)])
    #expect((try await stage.accounts.authorize(request).signIn != nil) == asks)
    await stage.accounts.signIns.abandon(all: true)
    request.interaction = .never
    #expect(try await stage.accounts.authorize(request).via == .stored)
  }

  /// The token endpoint is the same, but the secret would also be sent to another endpoint.
  @Test(arguments: [
    (nil as String?, "client-secret" as String?), ("https://id.example/other", "client-secret"), ("https://evil.example/refresh", nil),
  ])
  func aKeptSecretGoesWhereItWentBefore(refreshEndpoint: String?, secret: String?) async throws {
    try await stage.keep()
    server.add(body: #"{"access_token":"A"}"#)
    var request = Stage.request(with: refreshEndpoint.map { [.init("refreshEndpoint", .string($0))] } ?? [])
    request.credentials.secret = nil
    request.interaction = .always
    let (prompt, state) = try await stage.begin(request)
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)"))
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
    #expect(server.requests.first?.field("client_secret") == secret)
  }

  @Test func anotherClientFindsNoGrantAndNoSecret() async throws {
    try await stage.keep()
    var request = Stage.request()
    request.clientId = "other"
    request.credentials.secret = nil
    request.interaction = .never
    #expect(await failureOf { try await stage.accounts.authorize(request) }?["reason"] == "noGrant")
    request.interaction = .ifNeeded
    request.provider = nil
    server.add(body: #"{"access_token":"A"}"#)
    let (prompt, state) = try await stage.begin(request)
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
    #expect(server.requests.first?.field("client_id") == "other")
    #expect(server.requests.first?.text.contains("client-secret") == false)
  }

  /// A provider that the caller describes must not receive the secret stored for another provider.
  @Test func anotherProviderFindsNoClient() async throws {
    try await stage.keep()
    var request = Stage.request(with: [.init("tokenEndpoint", "https://evil.example/token")])
    request.credentials.secret = nil
    request.clientId = nil
    await #expect { try await stage.accounts.authorize(request) } throws: { ($0 as? FieldError)?.path == "/clientId" }
    request.clientId = "client"
    server.add(body: #"{"access_token":"A"}"#)
    let (prompt, state) = try await stage.begin(request)
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
    #expect(server.requests.map(\.url) == ["https://evil.example/token"])
    #expect(server.requests.first?.text.contains("client-secret") == false)
  }
}
