import Jansson
import Synchronization
import TestSupport

@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// A provider that signs ID tokens. The test sets the responses of its token endpoint; its keys are its own.
final class Issuer: HTTPClient {
  struct State: Sendable {
    var requests: [HTTPRequest] = []
    /// Claims that replace the valid ones in the ID token; nil sends no ID token.
    var claims: [JSON.Member]? = []
    /// Members of the token response besides the access token and its type.
    var tokenMembers: [JSON.Member] = [.init("refresh_token", "refresh-1"), .init("expires_in", 3600)]
    var publishes = true
    var isDead = false
    var nonce: String?
    /// The signer of the ID token; nil means the issuer itself.
    var signer: SigningKeys?
    var issued = 0
    /// The responses of other endpoints, by URL.
    var responses: [String: HTTPResponse] = [:]
  }

  let keys: SigningKeys
  let state = Mutex(State())

  init() throws { keys = try SigningKeys.issuer.get() }

  static let members: [JSON.Member] = [
    .init("jwksUri", "https://id.example/keys"), .init("userInfoEndpoint", "https://id.example/userinfo"),
  ]

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var asked: [String] { requests.map { String($0.url.dropFirst("https://id.example".count)) } }
  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let state = state.withLock { state in
      state.requests.append(request)
      if request.url.hasSuffix("/token") { state.issued += 1 }
      return state
    }
    if state.isDead { throw .network(host: "id.example", cause: "connect", answered: false) }
    if let response = state.responses[request.url] { return response }
    do {
      switch request.url {
      case "https://id.example/keys":
        guard state.publishes else { return .json("{}", status: 503) }
        return HTTPResponse(status: 200, body: try keys.publishedSet())
      case "https://id.example/token": return .json(String(decoding: try tokens(state).text, as: UTF8.self))
      default: return .json("{}", status: 404)
      }
    } catch {
      throw .unavailable(reason: "\(error)")
    }
  }

  private func tokens(_ state: State) throws -> JSON {
    let accessToken = "access-\(state.issued)"
    var members: [JSON.Member] = [.init("access_token", .string(accessToken)), .init("token_type", "Bearer")] + state.tokenMembers
    if let claims = state.claims {
      let nonce: [JSON.Member] = [.init("nonce", state.nonce.map { .string($0) } ?? .null)]
      let token = try (state.signer ?? keys).token(goodClaims(nonce + claims), .es256, header: [.init("kid", "p256")])
      members.append(.init("id_token", .string(token.value)))
    }
    return .object(members)
  }
}

/// Accounts with a provider that signs ID tokens.
struct IdentityStage {
  let issuer: Issuer
  let stage: Stage

  init(catalog: ProviderCatalog = .builtIn) throws {
    issuer = try Issuer()
    stage = Stage(issuer, catalog: catalog)
  }

  static func request(_ scopes: [String] = ["openid", "read"], with members: [JSON.Member] = []) -> AuthorizationInput {
    Stage.request(scopes: scopes, with: Issuer.members + members)
  }

  /// Begins a sign-in, has the issuer repeat its nonce, and delivers the code.
  @discardableResult
  func signIn(_ request: AuthorizationInput = IdentityStage.request()) async throws -> Authorization {
    let (prompt, _) = try await stage.begin(request)
    try await deliver(prompt.url)
    guard let authorization = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5) else {
      throw OAuthFailure(.signInRequired, "the sign-in is not known")
    }
    return authorization
  }

  func deliver(_ url: String) async throws {
    issuer.set { $0.nonce = Stage.parameter("nonce", of: url) }
    let state = Stage.parameter("state", of: url) ?? ""
    guard try await stage.accounts.handleRedirect("app.example:/callback?code=c&state=\(state)") else {
      throw OAuthFailure(.signInRequired, "the redirect was not handled")
    }
  }

  var grant: Grant? { get throws { try stage.store.read("a") } }
}
