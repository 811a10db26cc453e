import Jansson
import OAuthCore
import Plans
import Platform
import Store

/// The tokens that the configuration has for requests without a user. Each request reads them, because platforms replace them.
extension ConfiguredCredentials {
  /// In seconds, for the server of a platform's tokens.
  private static let platformTimeout = 30

  /// Returns the plan's request with the tokens that the configuration has.
  package func call(_ asked: AuthorizationPlan) async throws -> ClientCall {
    var call = ClientCall(request: asked.request.clientRequest)
    let sources = asked.request.sources
    if sources.isEmpty { return call }
    if let file = sources.serviceAccount { return try await serviceAccountCall(file, asked) }
    try checkAccounts(of: asked.account)
    for (member, source) in sources.tokens {
      let token: Secret
      if member == "subjectToken", call.request.flow == .identityAssertion, case .account(let name) = source {
        token = try await identityAssertion(from: name, for: asked)
      } else {
        // The type of a client's assertion is another one.
        let type = member == "clientAssertion" ? "" : member + "Type"
        if case .account = source { call.request[type] = call.request[type] ?? .string(TokenType.uri("access_token")) }
        token = try await self.token(source, call.request.text(type), member, asked.account)
      }
      call.request[member] = .string(token.value)
    }
    return call
  }

  /// Returns the grant with the client's assertion that another program makes, for requests besides those for tokens.
  func withAssertion(_ grant: Grant) async throws -> Grant {
    var grant = try await withSecret(grant)
    grant.client.assert(grant.clientRequest)
    // A client can import a grant. Without the platform, the request goes out as one of a client that only names itself.
    guard let source = try accounts.configured(grant.account)?.sources["clientAssertion"],
      let plan = try? await accounts.clientPlan(grant.account), plan.client.id == grant.client.id,
      try grant.resolvedProvider.sendsSecretsNowhereElse(than: plan.provider)
    else { return grant }
    grant.client.assertion = try? await token(source, nil, "clientAssertion", grant.account)
    return grant
  }

  private func token(
    _ source: SecretSource, _ kind: String?, _ member: String, _ account: String
  ) async throws -> Secret {
    switch source {
    case .account(let name): try await token(of: name, kind ?? "", member)
    case .githubActions(let audience): try await jobToken(audience, member, account)
    case .literal, .environment, .command, .keyring, .file, .signer: try await accounts.secret(source, account, member)
    }
  }

  // MARK: Other accounts

  /// Rejects a configuration in which an account's token depends on itself. Its requests would wait for each other.
  private func checkAccounts(of account: String, after earlier: [AccountKey] = []) throws(OAuthFailure) {
    let key = AccountKey(account)
    guard !earlier.contains(key) else {
      throw .misconfigured(ObjectReader.pointer(to: account, in: "/accounts"), "the token of \(account.plain) depends on itself")
    }
    for case .account(let next) in try accounts.configured(account)?.sources.tokens.map(\.source) ?? [] {
      try checkAccounts(of: next, after: earlier + [key])
    }
  }

  private func token(of name: String, _ kind: String, _ member: String) async throws -> Secret {
    let grant = try await usableGrant(name, needsIDToken: kind == TokenType.uri("id_token"))
    try await accounts.recordUse(name, by: member, within: Self.platformTimeout)
    let others = [TokenType.uri("id_token"): grant.validIDToken(at: accounts.now), TokenType.uri("refresh_token"): grant.refreshToken]
    guard let token = try others[kind] ?? grant.usableToken() else {
      throw OAuthFailure.unsupported("the account has no token of the type \(kind)").of(name)
    }
    return token
  }

  private func usableGrant(_ name: String, needsIDToken: Bool = false) async throws -> Grant {
    try dependencies.limits.check(account: name)
    try accounts.checkLogin(name)
    return try await accounts.tokens(of: name).grant(for: TokenUse(idToken: needsIDToken ? .needed : .ignored), requestID: nil).grant
  }

  /// Exchanges the ID token of the user's account at its own identity provider for an assertion to the plan's authorization server
  /// (draft-ietf-oauth-identity-assertion-authz-grant, 4.3).
  private func identityAssertion(from name: String, for asked: AuthorizationPlan) async throws -> Secret {
    let held = try await usableGrant(name)
    // A refresh token outlives the ID token, and some providers return none with a refresh.
    let renewed = held.idToken == nil || held.refreshToken == nil ? nil : try? await usableGrant(name, needsIDToken: true)
    let usual = TokenType.uri(renewed == nil && held.refreshToken != nil ? "refresh_token" : "id_token")
    let kind = asked.request.clientRequest.text("subjectTokenType") ?? usual
    let (call, resource) = exchange(try await token(of: name, kind, "subjectToken").value, kind, for: asked)
    let grant = try await withSecret(try accounts.grant(name))
    let tokens = try await accounts[name].naming {
      try await call.ask(
        scopes: asked.scopes, resource, try grant.resolvedProvider, grant.client, for: name, dependencies, provingBy: grant.dpopKey)
    }
    guard tokens.issuedTokenType ?? Self.assertion == Self.assertion else {
      throw OAuthFailure.untrusted("the identity provider issued a token of another type than an identity assertion").of(name)
    }
    return tokens.accessToken
  }

  private static let assertion = TokenType.uri("id-jag")

  private func exchange(
    _ token: String, _ kind: String, for asked: AuthorizationPlan
  ) -> (call: ClientCall, resource: NamedValues<String>) {
    var exchange = ClientRequest()
    exchange.flow = .tokenExchange
    exchange["subjectToken"] = .string(token)
    (exchange["subjectTokenType"], exchange["requestedTokenType"]) = (.string(kind), .string(Self.assertion))
    exchange["audience"] = .array([asked.provider.issuer.map(JSON.string)].compactMap(\.self))
    return (ClientCall(request: exchange), NamedValues(asked.resource.map { [(name: "resource", value: $0)] } ?? []))
  }

  /// Returns the exchange with which the flow `identityAssertion` begins; nil for another flow.
  func firstStep(_ asked: AuthorizationPlan) async throws -> DryRun.Step? {
    guard asked.request.flow == .identityAssertion, case .account(let name)? = asked.request.sources["subjectToken"] else { return nil }
    try dependencies.limits.check(account: name)
    var input = AuthorizationInput(account: name)
    if try accounts.configured(name) == nil { input.interaction = .never }
    let provider = try await accounts.withRequest(input) { try await $0.plan() }
    let usual = provider.stored?.idToken == nil && provider.stored?.refreshToken != nil ? "refresh_token" : "id_token"
    let kind = asked.request.clientRequest.text("subjectTokenType") ?? TokenType.uri(usual)
    let (call, resource) = exchange(DryRun.Placeholder.subjectToken, kind, for: asked)
    return try DryRun.step(try call.tokenRequest(scopes: asked.scopes, resource), by: provider)
  }

  // MARK: GitHub Actions

  /// Returns the ID token of this job for the audience.
  private func jobToken(_ audience: String, _ member: String, _ account: String) async throws -> Secret {
    func failure(_ problem: String) -> OAuthFailure {
      OAuthFailure(.configurationInvalid, "\(member) is the ID token of a job of GitHub Actions: \(problem)", account: account)
    }
    func variable(_ name: String) async throws -> String {
      if let value = try? await accounts.secret(.environment(name), account, member).value { return value }
      throw failure("\(name) is not set. Outside of a job there is none, and a job needs permissions: id-token: write")
    }
    let url = try await variable("ACTIONS_ID_TOKEN_REQUEST_URL")
    let credential = try await variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    guard let place = try? URLParts(url), place.hasSafeScheme else { throw failure("ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL") }
    let answer = try await platformAnswer(
      place.settingQuery("audience", to: audience), [HTTPHeader("Authorization", "bearer \(credential)")], account)
    guard let token = (try? JSON.parse(answer))?["value"]?.string, !token.isEmpty else {
      throw failure("\(place.hostAndPort) answered without a value")
    }
    return Secret(token)
  }

  /// Returns what the platform's server answers to a request with these headers. A job does not end because that server fails for a moment.
  func platformAnswer(_ url: URLParts, _ headers: [HTTPHeader], _ account: String) async throws -> [UInt8] {
    var request = HTTPRequest(method: "GET", url: url.description, headers: headers)
    (request.timeout, request.maxBytes) = (Self.platformTimeout, 1 << 20)
    var response = try await dependencies.http.exchange(request)
    for _ in 0..<2 where response.status >= 500 {
      try await dependencies.clock.sleep(seconds: 1)
      response = try await dependencies.http.exchange(request)
    }
    if response.status == 200 { return Array(response.body) }
    throw OAuthFailure(
      .authorizationServerError, "the platform issued no token: \(url.hostAndPort) answered with status \(response.status)",
      isRetryable: response.status >= 500, account: account)
  }
}
