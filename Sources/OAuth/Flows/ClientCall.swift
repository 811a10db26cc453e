import Jansson
import OAuthCore
import Platform
import Store

/// A request for a token without a user, with all its tokens read.
struct ClientCall: Sendable {
  var request: ClientRequest
  /// What a service account's file has in the place of the provider's endpoint, the scopes and the client; nil without such a file.
  var service: ServiceAccount?

  init(request: ClientRequest) { self.request = request }

  /// A request with placeholders in the place of tokens. Nothing is read for a dry run.
  init(dryRunOf plan: AuthorizationPlan) {
    typealias Placeholder = DryRun.Placeholder
    request = plan.request.clientRequest
    if request.flow == .identityAssertion { request.flow = .jwtBearer }
    request.subjectToken = Secret(request.flow == .jwtBearer ? Placeholder.assertion : Placeholder.subjectToken)
    if request.actorToken != nil || plan.request.sources.actorToken != nil { request.actorToken = Secret(Placeholder.actorToken) }
  }

  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// The parameters that the flow itself sets.
  static func ownParameters(_ flow: AuthorizationInput.Flow) -> [String] {
    switch flow {
    case .jwtBearer, .identityAssertion: ["assertion"]
    case .tokenExchange: ["subject_token", "subject_token_type", "actor_token", "actor_token_type", "requested_token_type"]
    case .auto, .browser, .device, .clientCredentials: []
    }
  }

  /// Seconds for which an assertion is valid, unless its claims say otherwise.
  private static let life = 300
  /// Seconds by which the clock of a server that wants the assertion in the header may be behind ours.
  private static let lag = 60

  /// Asks the token endpoint. An assertion that the client's key signs is new each time.
  func ask(
    scopes: [String], _ parameters: NamedValues<String>, _ provider: Provider, _ client: Client, for account: String,
    _ dependencies: Dependencies, _ policy: Servers.Policy = .fails, until deadline: Clock.Deadline? = nil, provingBy dpopKey: Secret? = nil
  ) async throws -> TokenRequest.Response {
    var (call, provider, client) = (self, provider, client)
    if let service {
      (provider.tokenEndpoint, client) = (service.tokenEndpoint, Client(id: ""))
    } else if request.flow == .jwtBearer, request.subjectToken == nil, let key = client.key {
      call.request.subjectToken = try await assertion(client, provider, by: key, dependencies)
      if provider.token.clientAuthentication != .privateKeyJwt {
        (client.storedKey, client.configuredKey, client.isSecretConfigured) = (nil, nil, client.configuredSecret != nil)
      }
    }
    client.assertion = request.clientAssertion
    var endpoint = TokenEndpoint(provider, client, for: account, dependencies, policy, until: deadline)
    endpoint.dpopKey = dpopKey
    let tokens = try await endpoint.ask(try call.tokenRequest(scopes: service.map(\.scopes) ?? scopes, parameters))
    guard let impersonated = service?.impersonated else { return tokens }
    return try await endpoint.impersonate(impersonated, scopes: scopes, by: tokens.accessToken)
  }

  /// Returns an assertion that the key signs (RFC 7523, 3). The given claims win over the usual ones.
  private func assertion(_ client: Client, _ provider: Provider, by key: ClientKey, _ dependencies: Dependencies) async throws -> Secret {
    let own = request.assertionClaims?.members ?? []
    let host = provider.tokenEndpoint.flatMap { try? URLParts($0).host } ?? ""
    let now = Int(dependencies.servers.time(of: host))
    let life = request.assertionClaims?["exp"]?.integer ?? Self.life
    let lag = provider.assertion.assertionPlacement == .header ? Self.lag : 0
    var claims: [JSON.Member] = own.filter { $0.name != "exp" }
    func add(_ name: String, _ value: @autoclosure () throws -> JSON) rethrows {
      if !claims.contains(where: { $0.name == name }) { claims.append(.init(name, try value())) }
    }
    if !client.id.isEmpty { add("iss", .string(client.id)) }
    try add("aud", .string(provider.assertionAudience(at: provider.tokenEndpoint)))
    claims += [
      .init("iat", .integer(now - lag)), .init("exp", .integer(now + life)), .init("jti", .string(Base64.encodeURL(dependencies.random(16)))),
    ]
    return try await dependencies.signed(claims, header: [.init("typ", "JWT")], by: key)
  }

  func tokenRequest(scopes: [String], _ parameters: NamedValues<String>) throws -> TokenRequest {
    .client(scopes: scopes, parameters: parameters, own: try fields())
  }

  /// The fields of the grant type; empty for client credentials.
  private func fields() throws -> [(name: String, value: String)] {
    if request.flow == .clientCredentials { return [] }
    guard let subject = request.subjectToken else {
      throw OAuthFailure.misconfigured("/subjectToken", "the configuration no longer has what the account's token came from")
    }
    guard request.flow == .tokenExchange else { return [("grant_type", Self.jwtBearer), ("assertion", subject.value)] }
    var fields = [
      ("grant_type", Self.tokenExchange), ("subject_token", subject.value),
      ("subject_token_type", (request.subjectTokenType ?? .jwt).uri),
    ]
    if let actor = request.actorToken {
      fields += [("actor_token", actor.value), ("actor_token_type", (request.actorTokenType ?? .jwt).uri)]
    }
    if let type = request.requestedTokenType { fields.append(("requested_token_type", type.uri)) }
    return fields + (request.audience?.values ?? []).map { ("audience", $0) }
  }
}
