import Jansson
import OAuthCore
import Platform
import Signatures
import Store

/// Calls the token endpoint and reads its response. Failures never contain the secrets that were sent.
///
/// Each request passes these in order: the probe of client authentications, the server's pause, the client's assertion, the DPoP proof, the limit
/// of the network scope, the audit, and libcurl.
package struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: Client
  let account: String
  let dependencies: Dependencies
  private let policy: Servers.Policy
  /// When the requests of a refresh must have been answered; nil for other requests, which have a time limit each.
  private let deadline: Clock.Deadline?
  var probe = ClientAuthenticationProbe()
  /// The key that the tokens are bound to.
  var dpopKey: Secret?
  /// Whether a key of ours has signed the assertion that is the grant.
  var signsGrant = false

  static let missing = OAuthFailure.lacking("tokenEndpoint")

  package init(
    _ provider: Provider, _ client: Client, for account: String, _ dependencies: Dependencies, _ policy: Servers.Policy = .fails,
    until deadline: Clock.Deadline? = nil, provingBy dpopKey: Secret? = nil
  ) {
    (self.provider, self.client, self.account, self.dependencies, self.policy) = (provider, client, account, dependencies, policy)
    (self.deadline, self.dpopKey) = (deadline, dpopKey)
  }

  package func ask(_ request: TokenRequest) async throws -> TokenRequest.Response {
    var once = self
    return try await once.askAgain(request)
  }

  /// Sends a request as one of several. The probed client authentication method is remembered for the next one.
  mutating func askAgain(_ request: TokenRequest) async throws -> TokenRequest.Response {
    let endpoint = self
    try client.check(of: account)
    do {
      return try await probe.send(provider, client) { provider in
        var tokens = try await endpoint.ask(request, provider)
        // The grant stores the method that the probe has found.
        let way = provider.token.clientAuthentication
        if way != endpoint.provider.token.clientAuthentication { tokens.clientAuthentication = way }
        return tokens
      }
    } catch var failure as OAuthFailure where failure.serverError == .invalidClient {
      dependencies.secrets.forget(account)
      if try provider.assertionKey(of: client) != nil {
        let audience = try provider.assertionAudience(at: request.endpoint(provider))
        failure.problem +=
          "; the client's assertion is for \(audience): if the server has its key, set assertionAudience, signingAlgorithm or keyId to what it wants"
      }
      throw failure
    }
  }

  /// A server may say by its error alone that it wants a proof (RFC 9449, 5 and 8). The request then gets a new key.
  private func ask(_ request: TokenRequest, _ provider: Provider) async throws -> TokenRequest.Response {
    do {
      return try await ask(request, provider, provingBy: dpopKey)
    } catch let failure as OAuthFailure where dpopKey == nil && failure.serverError?.demandsProof == true {
      let key = SigningKey.newProofKey()
      var tokens = try await ask(request, provider, provingBy: key)
      tokens.dpopKey = key
      return tokens
    }
  }

  private func ask(_ request: TokenRequest, _ provider: Provider, provingBy key: Secret?) async throws -> TokenRequest.Response {
    try provider.token.checkSecret(of: client)
    guard let url = request.httpRequest(provider, client)?.url else { throw Self.missing }
    var sent = dependencies.clock.instant
    let hasCode = if case .code = request { true } else { false }
    return try await dependencies.servers.send(to: .init(url, clientID: client.id), policy, hasCode: hasCode) {
      try await dependencies.exchange(
        by: client, at: request.endpoint(provider), to: provider, for: account, as: "token", until: deadline, provingBy: key
      ) { client in
        guard let httpRequest = request.httpRequest(provider, client) else { throw Self.missing }
        sent = dependencies.clock.instant
        return httpRequest.signed(provider.token, client, at: dependencies.clock.now)
      }
    } read: { response, client throws(OAuthFailure) in
      if signsGrant, [400, 401].contains(response.status), let host = try? URLParts(url).host {
        _ = dependencies.servers.correctsClock(of: host, byDateOf: response)
      }
      var tokens = try TokenRequest.Response(
        response, provider.tokenResponse, hiding: Redaction(request.secrets, client: client, provider: provider),
        errorsNamed: provider.device.deviceErrorNames.pairs.map(\.name), isProven: key != nil && !request.isForAssertion)
      tokens.issued = IssueTime(sent: sent, response)
      return tokens
    }
  }

  // MARK: Renewal

  /// Replaces a grant's access token by the method of its protocol. Returns the grant with new tokens, and the token response.
  /// `call` is the request for the client's own token with what the configuration has; without it, the grant's own is sent.
  static func renewed(
    _ grant: Grant, _ dependencies: Dependencies, _ policy: Servers.Policy = .fails, asking call: ClientCall? = nil
  ) async throws -> (grant: Grant, tokens: TokenRequest.Response?) {
    let provider = try grant.resolvedProvider
    let deadline = dependencies.clock.deadline(in: RefreshTimes.exchange)
    dependencies.servers.wasServed(grant.client.id, at: grant.issued)
    var renewed = grant
    renewed.generation += 1
    // Renews by session handle (OAuth Session 1.0 draft 1, 4).
    if let handle = grant.sessionHandle {
      let endpoints = try OAuth1Endpoints(
        account: grant.account, client: grant.client, provider: provider, dependencies: dependencies, until: deadline)
      let sent = dependencies.clock.instant
      let credentials = try await endpoints.renewal(of: try grant.signingToken(), sessionHandle: handle, policy)
      renewed.take(credentials, at: sent)
      return (renewed, nil)
    }
    if grant.clientParameters != nil, provider.protocolName == .oauth1 {
      (renewed.tokenSecret, renewed.tokenType, renewed.issued) = (Secret(""), Grant.signedTokenType, dependencies.clock.instant)
      return (renewed, nil)
    }
    if let parameters = grant.clientParameters {
      // Sends the original request again (RFC 6749, 4.4).
      // A client can import a grant, and would have the configured key sign its claims.
      if call == nil, grant.client.configured.key != nil, grant.clientRequest?["assertionClaims"] != nil {
        throw OAuthFailure.misconfigured("/assertionClaims", "assertionClaims belongs to the configuration, as the key that signs it does")
      }
      let call = call ?? ClientCall(request: grant.clientRequest ?? ClientRequest())
      var tokens = try await call.ask(
        scopes: grant.clientScopes ?? grant.grantedScopes, parameters, provider, grant.client, for: grant.account, dependencies, policy,
        until: deadline, provingBy: grant.dpopKey)
      // The client's own token needs no refresh token (RFC 6749, 4.4.3), and it has no user.
      (tokens.refreshToken, tokens.refreshTokenExpiry, tokens.idToken) = (nil, .unknown, nil)
      renewed.take(tokens)
      return (renewed, tokens)
    }
    let isShortLived = grant.isShortLived && !grant.isExpired(at: dependencies.clock.instant)
    guard let token = isShortLived ? grant.accessToken : grant.exchangeable else {
      throw Self.cannotRefresh(grant, at: dependencies.clock.instant)
    }
    let request: TokenRequest =
      isShortLived ? .longLived(token) : .refresh(token, redirectUri: grant.redirectUri, scopes: grant.grantedScopes)
    let tokens = try await TokenEndpoint(
      provider, grant.client, for: grant.account, dependencies, policy, until: deadline, provingBy: grant.dpopKey
    ).ask(request)
    if isShortLived { renewed.isShortLived = false }
    renewed.take(tokens)
    return (renewed, tokens)
  }

  /// Returns the failure for a grant without a renewal token: the grant cannot be renewed, or the user has to sign in.
  static func cannotRefresh(_ grant: Grant, at now: Instant) -> OAuthFailure {
    if grant.isRejected { return grant.ended() }
    if grant.isRenewable { return .signInRequired(.expired, account: grant.account) }
    if grant.tokenSecret != nil, grant.isValid(for: .seconds(0), at: now) {
      // A sign-in would return another token of the same kind, and this one is still valid.
      return .unsupported("the token cannot be refreshed: it is valid until the service ends it").of(grant.account)
    }
    return .signInRequired(.expired, account: grant.account, why: "the grant has no refresh token")
  }
}

extension TokenRequest {
  /// Whether the response has an identity assertion, which is bound to no key.
  fileprivate var isForAssertion: Bool {
    if case .client(_, _, let own) = self { own.contains { $0 == ("requested_token_type", TokenType.uri("id-jag")) } } else { false }
  }

  var secrets: [Secret] {
    switch self {
    case .code(let code, _, let verifier, _): [code] + [verifier].compactMap(\.self)
    case .device(let code, _, _): [code]
    case .client(_, let parameters, let own): (parameters.pairs + own).filter { SecretName.isParameter($0.name) }.map { Secret($0.value) }
    case .refresh(let token, _, _, _), .longLived(let token): [token]
    }
  }
}

extension HTTPRequest {
  /// Returns the request with the time that is left. Throws if that is too little: an answer that comes too late may have the only valid token.
  func until(_ deadline: Clock.Deadline?) throws(OAuthFailure) -> HTTPRequest {
    guard let deadline else { return self }
    guard deadline.left >= RefreshTimes.caller else { throw OAuthFailure(.timedOut(host: (try? URLParts(url).host) ?? "")) }
    var request = self
    (request.timeout, request.answerTime) = (deadline.left, RefreshTimes.caller)
    return request
  }
}

extension TokenEndpoint {
  /// Finds the client authentication method of a provider that does not name it: HTTP Basic, and after `invalid_client` the next one.
  ///
  /// A server that misses the client's ID beside Basic gets it. Others reject it there as a second method (RFC 6749, 2.3).
  struct ClientAuthenticationProbe: Sendable {
    /// The methods to try, in this order. The server gets no further request with one that it has rejected.
    private var methods: [TokenOptions.ClientAuthentication] = []

    /// Returns the result of `send`, which gets the provider with the method to use.
    mutating func send<Value>(_ provider: Provider, _ client: Client, _ send: (Provider) async throws -> Value) async throws -> Value {
      let described = provider.token.clientAuthentication
      guard [.basic, .probe].contains(described), client.secret != nil else { return try await send(provider) }
      var provider = provider
      if methods.isEmpty {
        // Many servers do not decode what RFC 6749 has the client encode.
        let isPlain = client.basicHeader() == client.basicHeader(isEncoded: false)
        methods = described == .basic ? [.basic] : isPlain ? [.basic, .body] : [.basic, .basicUnencoded, .body]
      }
      while true {
        provider.token.clientAuthentication = methods[0]
        do {
          return try await send(provider)
        } catch let failure as OAuthFailure {
          let texts = [failure["errorDescription"], failure["body"]].compactMap { $0?.string?.lowercased() }
          if methods[0] == .basic, texts.contains(where: { $0.contains("missing client_id") }) {
            methods = [.basicWithClientId]
          } else {
            guard failure.serverError == .invalidClient, methods.count > 1 else { throw failure }
            methods.removeFirst()
          }
        }
      }
    }
  }
}

extension HTTPRequest {
  /// Returns the request with its signature, if the provider requires one and the client has a secret.
  func signed(_ options: TokenOptions, _ client: Client, at now: Int) -> HTTPRequest {
    guard let signature = options.requestSignature, let secret = client.secret else { return self }
    var request = self
    let bytes = if case .bytes(let bytes) = body { bytes } else { [UInt8]() }
    request.headers += signature.headers(for: bytes, client, secret, at: now)
    return request
  }
}
