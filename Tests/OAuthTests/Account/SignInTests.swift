import Crypto
import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// A sign-in from its page to its grant.
struct SignInTests {
  private let server = PreparedResponses()
  private let stage: Stage

  init() { stage = Stage(server) }

  private static let tokens =
    #"{"access_token":"A","refresh_token":"R","expires_in":100,"token_type":"bearer","scope":"read","refresh_token_expires_in":500}"#

  @Test func aCaughtRedirectBecomesAGrant() async throws {
    server.add(body: Self.tokens)
    let (prompt, state) = try await stage.begin(Stage.request(scopes: ["read", "write"]))
    #expect(prompt.expiresAt == 1_000_300)
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c%2B1&state=\(state)&iss=https%3A%2F%2Fid.example"))
    let authorization = try #require(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5))
    #expect(authorization.via == .signedIn)
    #expect(authorization.grantedScopes == ["read"] && authorization.missingScopes == ["write"])
    #expect(authorization.expiresAt == 1_000_100 && authorization.canRefresh)
    #expect(stage.told == ["requested", "authorized signedIn"])

    let request = try #require(server.requests.first)
    #expect(request.url == "https://id.example/token")
    #expect(request.field("code") == "c+1")
    #expect(request.field("redirect_uri") == "app.example:/callback")
    #expect(request.field("client_secret") == "client-secret")
    let verifier = try #require(request.field("code_verifier"))
    #expect(verifier.utf8.count == 43)
    #expect(Stage.parameter("code_challenge", of: prompt.url) == Self.challenge(of: verifier))

    let grant = try #require(try stage.store.read("a"))
    #expect(grant.refreshToken == Secret("R") && grant.refreshTokenExpiresAt == 1_000_500)
    #expect(grant.client == Client(id: "client", secret: Secret("client-secret")))
    #expect(try grant.resolvedProvider.tokenEndpoint == "https://id.example/token")
    #expect(grant.declinedScopes == ["write"])
    #expect(grant.redirectUri == "app.example:/callback")
  }

  private static func challenge(of verifier: String) -> String {
    Base64.encodeURL(Array(SHA256.hash(data: Array(verifier.utf8))))
  }

  @Test func noScopeInTheResponseMeansWhatWasAsked() async throws {
    server.add(body: #"{"access_token":"A"}"#)
    let (prompt, state) = try await stage.begin(Stage.request(scopes: ["x", "y"]))
    _ = try await stage.accounts.handleRedirect("app.example:/callback#code=c&state=\(state)")
    let authorization = try #require(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5))
    #expect(authorization.grantedScopes == ["x", "y"] && authorization.missingScopes == [])
    #expect(authorization.expiresAt == nil && !authorization.canRefresh)
  }

  @Test(arguments: ["code=c&state=WRONG", "code=c", "state=&code=c", "error=access_denied&state=WRONG", "", "state=S&state=S&code=c"])
  func aRedirectWithoutTheStateIsIgnored(query: String) async throws {
    server.add(body: Self.tokens)
    let (prompt, state) = try await stage.begin()
    let pasted = query.split(separator: "S", omittingEmptySubsequences: false)
    let url = query.hasPrefix("state=S&") ? pasted.joined(separator: state) : query
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?\(url)") == false)
    #expect(server.requests.isEmpty)
    #expect(try await stage.accounts.handleRedirect("code=c&state=\(state)"))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
  }

  @Test func theSameRedirectTwiceSendsItsCodeOnce() async throws {
    let gate = Promise<Void>()
    let count = EventCount()
    let stage = Stage(
      Server { _ throws(HTTPFailure) in
        count.add()
        do { try await gate.value() } catch { throw .cancelled }
        return .json(Self.tokens)
      })
    let (prompt, state) = try await stage.begin()
    let url = "app.example:/callback?code=c&state=\(state)"
    async let first = stage.accounts.handleRedirect(url)
    async let second = stage.accounts.handleRedirect(url)
    #expect(await soon { await stage.awaitingExchange() == 2 })
    #expect(count.value == 1)
    gate.settle(.success(()))
    #expect(try await first)
    #expect(try await second)
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) != nil)
    #expect(try await stage.accounts.handleRedirect(url) == false)
    #expect(count.value == 1)
    #expect(stage.told == ["requested", "authorized signedIn"])
  }

  /// The caller that delivered the redirect may be cancelled. The code is spent, so its tokens are stored.
  @Test func aCancelledRedirectIsStillFinished() async throws {
    let gate = Promise<Void>()
    let count = EventCount()
    let stage = Stage(
      Server { _ throws(HTTPFailure) in
        count.add()
        do { try await gate.value() } catch { throw .cancelled }
        return .json(Self.tokens)
      })
    let (prompt, state) = try await stage.begin()
    let handling = Task { try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)") }
    #expect(await soon { count.value == 1 })
    handling.cancel()
    await #expect(throws: CancellationError.self) { try await handling.value }
    gate.settle(.success(()))
    #expect(try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)?.via == .signedIn)
    #expect(try stage.store.read("a") != nil)
  }

  @Test(arguments: [
    ("error=access_denied&error_description=no", OAuthFailure.Kind.accessDenied), ("error=server_error", .authorizationServerError),
    ("code=c&iss=https%3A%2F%2Fevil.example", .responseUntrusted),
  ])
  func theEndOfASignInIsReportedOnce(query: String, kind: OAuthFailure.Kind) async throws {
    let (prompt, state) = try await stage.begin()
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?\(query)&state=\(state)"))
    let failure = await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) }
    #expect(failure?.kind == kind)
    #expect(failure?.account == "a")
    #expect(await isReported { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) })
    #expect(stage.told == ["requested", "failed \(kind.rawValue)"])
    #expect(server.requests.isEmpty)
    #expect(try stage.store.read("a") == nil)
  }

  @Test(arguments: [(400, #"{"error":"invalid_grant"}"#), (200, "{}"), (500, ""), (200, "<html>"), (302, "")])
  func aCodeIsNeverTriedTwice(status: Int, body: String) async throws {
    server.add(status: status, body: body)
    server.add(body: Self.tokens)
    let (prompt, state) = try await stage.begin()
    _ = try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)")
    #expect(await failureOf { try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) } != nil)
    #expect(try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)") == false)
    #expect(server.requests.count == 1)
  }

  @Test func statesAndProofsAreNeverUsedTwice() async throws {
    let one = try await stage.begin(Stage.request("a"))
    let other = try await stage.begin(Stage.request("b"))
    #expect(one.state != other.state && one.prompt.id != other.prompt.id)
    #expect(one.state.utf8.count >= 22)
    #expect(Stage.parameter("code_challenge", of: one.prompt.url) != Stage.parameter("code_challenge", of: other.prompt.url))
  }
}
