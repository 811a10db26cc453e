import Jansson
import OAuthCore
import Platform
import Store

/// The tokens that the configuration has for requests without a user. Each request reads them, because platforms replace them.
extension Accounts {
  /// In seconds, for the server of a platform's tokens.
  static let platformTimeout = 30

  /// Returns the plan's request with the tokens that the configuration has.
  func call(_ asked: AuthorizationPlan) async throws -> ClientCall {
    var call = ClientCall(request: asked.request.clientRequest)
    let sources = asked.request.sources
    if sources.isEmpty { return call }
    if let file = sources.serviceAccount { return try await serviceAccountCall(file, asked) }
    try checkAccounts(of: asked.account)
    if let source = sources.subjectToken {
      call.request.subjectTokenType = call.request.subjectTokenType ?? source.usualKind
      if call.request.flow == .identityAssertion, case .account(let name) = source {
        call.request.subjectToken = try await identityAssertion(from: name, for: asked)
      } else {
        call.request.subjectToken = try await token(source, call.request.subjectTokenType, "subjectToken", asked.account)
      }
    }
    if let source = sources.actorToken {
      call.request.actorTokenType = call.request.actorTokenType ?? source.usualKind
      call.request.actorToken = try await token(source, call.request.actorTokenType, "actorToken", asked.account)
    }
    if let source = sources.clientAssertion {
      call.request.clientAssertion = try await token(source, nil, "clientAssertion", asked.account)
    }
    return call
  }

  private func token(
    _ source: ConfiguredAccount.SecretSource, _ kind: TokenKind?, _ member: String, _ account: String
  ) async throws -> Secret {
    switch source {
    case .account(let name): try await token(of: name, kind ?? .accessToken, member)
    case .githubActions(let audience): try await jobToken(audience, member, account)
    case .literal, .environment, .command, .keyring, .file, .signer: try await secret(source, account, member)
    }
  }

  // MARK: Other accounts

  /// Rejects a configuration in which an account's token depends on itself. Its requests would wait for each other.
  private func checkAccounts(of account: String, after earlier: [AccountKey] = []) throws(OAuthFailure) {
    let key = AccountKey(account)
    guard !earlier.contains(key) else {
      throw .misconfigured(ObjectReader.pointer(to: account, in: "/accounts"), "the token of the account \(account.plain) depends on itself")
    }
    for case .account(let next)? in try configured(account)?.sources.all.map(\.source) ?? [] {
      try checkAccounts(of: next, after: earlier + [key])
    }
  }

  private func token(of name: String, _ kind: TokenKind, _ member: String) async throws -> Secret {
    let grant = try await usableGrant(name, needsIDToken: kind == .idToken)
    try await recordUse(name, by: member, within: Self.platformTimeout)
    switch kind {
    case .idToken: return try grant.validIDToken(at: now) ?? grant.usableToken()
    case .refreshToken:
      guard let token = grant.refreshToken else { throw OAuthFailure.unsupported("the account has no refresh token").of(name) }
      return token
    default: return try grant.usableToken()
    }
  }

  private func usableGrant(_ name: String, needsIDToken: Bool = false) async throws -> Grant {
    try dependencies.limits.check(account: name)
    await prepareStore(name)
    return try await self[name].grant(for: TokenUse(idToken: needsIDToken ? .needed : .ignored), requestID: nil).grant
  }

  /// Exchanges the ID token of the user's account at its own identity provider for an assertion to the plan's authorization server
  /// (draft-ietf-oauth-identity-assertion-authz-grant, 4.3).
  private func identityAssertion(from name: String, for asked: AuthorizationPlan) async throws -> Secret {
    let held = try await usableGrant(name)
    // A refresh token outlives the ID token, and some providers return none with a refresh.
    let kind = asked.request.clientRequest.subjectTokenType ?? (held.idToken == nil && held.refreshToken != nil ? .refreshToken : .idToken)
    var exchange = ClientRequest()
    (exchange.flow, exchange.subjectTokenType, exchange.requestedTokenType) = (.tokenExchange, kind, .identityAssertion)
    exchange.audience = asked.provider.issuer.map { Audience(values: [$0]) }
    exchange.subjectToken = try await token(of: name, kind, "subjectToken")
    let grant = try await withSecret(try grant(name))
    let resource = asked.resource.map { [(name: "resource", value: $0)] } ?? []
    let request = try ClientCall(request: exchange).tokenRequest(scopes: asked.scopes, NamedValues(resource))
    do {
      var endpoint = TokenEndpoint(try grant.resolvedProvider, grant.client, for: name, dependencies)
      endpoint.dpopKey = grant.dpopKey
      let tokens = try await endpoint.ask(request)
      guard tokens.issuedTokenType ?? TokenKind.identityAssertion.uri == TokenKind.identityAssertion.uri else {
        throw OAuthFailure.untrusted("the identity provider issued a token of another type than an identity assertion")
      }
      return tokens.accessToken
    } catch let failure as OAuthFailure {
      throw failure.of(name)
    }
  }

  // MARK: GitHub Actions

  /// Returns the ID token of this job for the audience.
  private func jobToken(_ audience: String, _ member: String, _ account: String) async throws -> Secret {
    func failure(_ problem: String) -> OAuthFailure {
      OAuthFailure(.configurationInvalid, "\(member) of the account is the ID token of a job of GitHub Actions: \(problem)", account: account)
    }
    func variable(_ name: String) async throws -> String {
      do throws(OAuthFailure) {
        return try await secret(.environment(name), account, member).value
      } catch {
        throw failure("\(name) is not set. Outside of a job there is none, and a job needs permissions: id-token: write")
      }
    }
    let url = try await variable("ACTIONS_ID_TOKEN_REQUEST_URL")
    let credential = try await variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
    guard Provider.problem(ofEndpoint: url) == nil, let place = try? URLParts(url) else {
      throw failure("ACTIONS_ID_TOKEN_REQUEST_URL is not an https URL")
    }
    var request = HTTPRequest(
      method: "GET", url: place.settingQuery("audience", to: audience).description,
      headers: [HTTPHeader("Accept", "application/json"), HTTPHeader("Authorization", "bearer \(credential)")])
    (request.timeout, request.maxBytes) = (Self.platformTimeout, 1 << 20)
    let response = try await dependencies.http.exchange(request)
    guard response.status == 200, let token = (try? JSON.parse(response.body))?["value"]?.string else {
      throw OAuthFailure(
        .authorizationServerError, "the platform of the job issued no ID token: \(place.hostAndPort) answered with status \(response.status)",
        isRetryable: response.status >= 500)
    }
    return Secret(token)
  }
}

extension ConfiguredAccount.SecretSource {
  /// The type of its token, unless the account says otherwise.
  fileprivate var usualKind: TokenKind { if case .account = self { .accessToken } else { .jwt } }
}
