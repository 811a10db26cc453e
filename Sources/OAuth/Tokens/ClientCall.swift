import Jansson
import OAuthCore
import Platform
import Store

/// A request for a token without a user, with all its tokens read.
package struct ClientCall: Sendable {
  var request: ClientRequest
  /// What a service account's file has in the place of the provider's endpoint, the scopes and the client; nil without such a file.
  var service: ServiceAccount?

  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// Seconds for which an assertion is valid, unless its claims say otherwise.
  private static let life = 300
  /// Seconds by which the clock of a server that wants the assertion in the header may be behind ours.
  private static let lag = 60

  /// Asks the token endpoint. An assertion that a key signs is new each time. If the server refuses it and its clock differs from ours, it gets
  /// another by its clock.
  package func ask(
    scopes: [String], _ parameters: NamedValues<String>, _ provider: Provider, _ client: Client, for account: String,
    _ dependencies: Dependencies, _ policy: Servers.Policy = .fails, until deadline: Clock.Deadline? = nil, provingBy dpopKey: Secret? = nil
  ) async throws -> TokenRequest.Response {
    var (provider, client) = (provider, client)
    if let service { (provider.tokenEndpoint, client) = (service.tokenEndpoint, Client(id: "")) }
    let signer = request.flow == .jwtBearer && request["subjectToken"] == nil ? service?.key ?? client.key : nil
    let (issuer, host) = (client.id, Dependencies.host(provider.tokenEndpoint))
    if signer != nil, provider.token.clientAuthentication != .privateKeyJwt {
      (client.stored.key, client.configured.key, client.isSecretConfigured) = (nil, nil, client.configured.secret != nil)
    }
    client.assert(request)
    var endpoint = TokenEndpoint(provider, client, for: account, dependencies, policy, until: deadline, provingBy: dpopKey)
    endpoint.signsGrant = signer != nil
    func send() async throws -> TokenRequest.Response {
      var call = self
      if let signer {
        let now = Int(dependencies.servers.time(of: host)) - Dependencies.lag
        call.request["subjectToken"] = .string(try await assertion(issuer, provider, by: signer, dependencies, at: now).value)
      }
      return try await endpoint.ask(try call.tokenRequest(scopes: service.map(\.scopes) ?? scopes, parameters))
    }
    func clockOffset() -> Int64 { dependencies.servers.time(of: host) - Int64(dependencies.clock.now) }
    let offset = clockOffset()
    let tokens: TokenRequest.Response
    do {
      tokens = try await send()
    } catch is OAuthFailure where signer != nil && abs(clockOffset() - offset) > 2 {
      tokens = try await send()
    }
    guard let service, let impersonated = service.impersonated else { return tokens }
    var exchanged = try await endpoint.impersonate(impersonated, scopes: scopes, for: service.lifetime, by: tokens.accessToken)
    exchanged.issued = tokens.issued
    return exchanged
  }

  /// Returns an assertion that the key signs (RFC 7523, 3). The given claims win over the usual ones.
  private func assertion(
    _ issuer: String, _ provider: Provider, by key: ClientKey, _ dependencies: Dependencies, at now: Int
  ) async throws -> Secret {
    let own = request["assertionClaims"]
    let life = own?["exp"]?.integer ?? Self.life
    // Such a server is an API, which knows the app by `iss` alone.
    let isGrant = provider.assertion.assertionPlacement == .body
    var claims: [JSON.Member] = (own?.members ?? []).filter { $0.name != "exp" }
    func add(_ name: String, _ value: @autoclosure () throws -> JSON) rethrows {
      if !claims.contains(where: { $0.name == name }) { claims.append(.init(name, try value())) }
    }
    if !issuer.isEmpty { add("iss", .string(issuer)) }
    claims += [.init("iat", .integer(isGrant ? now : now - Self.lag)), .init("exp", .integer(now + life))]
    if isGrant {
      // Required in the assertion of a grant (RFC 7523, 3).
      if !issuer.isEmpty { add("sub", .string(issuer)) }
      try add("aud", .string(provider.assertionAudience(at: provider.tokenEndpoint)))
      // Google wants none.
      if service == nil { add("jti", .string(Base64.encodeURL(dependencies.random(16)))) }
    }
    return try await dependencies.signed(claims, header: [.init("typ", "JWT")], by: key)
  }

  func tokenRequest(scopes: [String], _ parameters: NamedValues<String>) throws -> TokenRequest {
    .client(scopes: scopes, parameters: parameters, own: try fields())
  }

  /// The fields of the grant type; empty for client credentials.
  private func fields() throws -> [(name: String, value: String)] {
    if request.flow == .clientCredentials { return [] }
    guard let subject = request.text("subjectToken") else {
      throw OAuthFailure.misconfigured("/subjectToken", "the configuration no longer has what the account's token came from")
    }
    guard request.flow == .tokenExchange else { return [("grant_type", Self.jwtBearer), ("assertion", subject)] }
    var exchange = request
    for member in ["subjectToken", "actorToken"] where exchange[member] != nil && exchange[member + "Type"] == nil {
      exchange[member + "Type"] = .string(TokenType.uri("jwt"))
    }
    let texts = ClientRequest.exchanged.compactMap { member, name in exchange.text(member).map { (name, $0) } }
    return [("grant_type", Self.tokenExchange)] + texts + (request["audience"]?.array ?? []).compactMap(\.string).map { ("audience", $0) }
  }
}

extension Client {
  /// Takes the assertion that another program makes, and its type.
  mutating func assert(_ request: ClientRequest?) {
    assertion = request?.text("clientAssertion").map(Secret.init)
    assertionType = request?.text("clientAssertionType") ?? assertionType
  }
}

/// How a file of Google's changes the request of its account.
struct ServiceAccount: Sendable {
  /// The scope of the token that impersonates another service account.
  static let impersonating = "https://www.googleapis.com/auth/iam"

  var tokenEndpoint: String
  var scopes: [String]
  /// The URL that issues the tokens of the service account to impersonate.
  var impersonated: String?
  /// In seconds, for the token of the impersonated account.
  var lifetime = 3600
  /// Signs the assertion of a service account.
  var key: ClientKey?
}

extension TokenEndpoint {
  /// Exchanges the token for one of another service account (generateAccessToken of Google's IAM).
  func impersonate(_ url: String, scopes: [String], for lifetime: Int, by token: Secret) async throws -> TokenRequest.Response {
    let body: JSON = ["scope": .array(scopes.map { .string($0) }), "lifetime": .string("\(lifetime)s")]
    var request = HTTPRequest(method: "POST", url: url, body: .bytes(body.text))
    request.headers = [
      HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", "application/json"),
      HTTPHeader("Authorization", "Bearer \(token.value)"),
    ]
    request.settle(provider)
    var options = TokenResponseOptions()
    options.memberNames = NamedValues(
      [("access_token", "accessToken"), ("expires_at", "expireTime")].compactMap { name, path in DottedPath(path).map { (name, $0) } })
    let response = try await dependencies.exchange(request, to: provider, for: account, as: "token", hiding: [token])
    return try TokenRequest.Response(response, options, hiding: Redaction([token], provider: provider))
  }
}
