import OAuthCore

/// Calls the two endpoints that issue credentials (RFC 5849, 2.1 and 2.3).
/// Repeats a request with the corrected time if the server rejects the timestamp.
struct OAuth1Endpoints: Sendable {
  let provider: Provider
  let signer: OAuth1Signer
  private let dependencies: Dependencies

  init(account: String, client: Client, provider: Provider, dependencies: Dependencies) throws(OAuthFailure) {
    self.provider = provider
    signer = try OAuth1Signer(account: account, client: client, provider: provider, dependencies: dependencies)
    self.dependencies = dependencies
  }

  /// `callback` is nil if the service shows a verifier that the user types.
  func temporaryCredentials(callback: String?, parameters: [OAuth1Parameter]) async throws -> TemporaryCredentials {
    let endpoint = try endpoint(provider.oauth1.requestTokenEndpoint, "requestTokenEndpoint")
    let (response, request) = try await ask(
      .temporaryCredentials(
        from: endpoint, method: method, callback: callback, parameters: parameters, client: signer.client, nonce: "", timestamp: 0))
    return try Self.explaining(request) { () throws(OAuthFailure) in try TemporaryCredentials(response, sent: request) }
  }

  func tokenCredentials(temporary token: OAuth1Token, verifier: Secret) async throws -> TokenCredentials {
    let endpoint = try endpoint(provider.oauth1.accessTokenEndpoint, "accessTokenEndpoint")
    let parameters = provider.oauth1.accessTokenParameters.pairs.map { OAuth1Parameter($0.name, $0.value) }
    let (response, request) = try await ask(
      .tokenCredentials(
        from: endpoint, method: method, temporary: token, verifier: verifier, parameters: parameters, client: signer.client, nonce: "",
        timestamp: 0))
    return try Self.explaining(request) { () throws(OAuthFailure) in try TokenCredentials(response, sent: request) }
  }

  /// Reads a response. A failure contains the base string, which shows the developer what the server signs differently.
  static func explaining<Value>(
    _ request: OAuth1Request, _ read: () throws(OAuthFailure) -> Value
  ) throws(OAuthFailure) -> Value {
    do throws(OAuthFailure) {
      return try read()
    } catch {
      var failure = error
      if let text = try request.explanation().baseString { failure.details.append(.init("baseString", .string(text))) }
      throw failure
    }
  }

  /// Returns a new token for the session handle of the old one. A server's permanent rejection of either sets `refusesRefreshToken`.
  func renewal(of token: OAuth1Token, sessionHandle: Secret, _ policy: TokenPauses.Policy) async throws -> TokenCredentials {
    let endpoint = try endpoint(provider.oauth1.accessTokenEndpoint, "accessTokenEndpoint")
    let unsigned = OAuth1Request.renewal(
      from: endpoint, method: method, token: token, sessionHandle: sessionHandle, client: signer.client, nonce: "", timestamp: 0)
    let key = TokenPauses.Key(endpoint, Client(id: signer.client.consumerKey))
    return try await dependencies.pauses.send(to: key, policy, dependencies.clock) {
      try await ask(unsigned)
    } read: { response, request throws(OAuthFailure) in
      do throws(OAuthFailure) {
        return try TokenCredentials(response, sent: request)
      } catch {
        var failure = error
        failure.refusesRefreshToken = OAuth1Problem(response, sent: request).map { $0.refusesToken || $0.refusesApproval } ?? false
        throw failure
      }
    }
  }

  /// Asks the service to revoke the grant's token. A token that is already invalid counts as revoked.
  static func revoke(_ grant: Grant, _ provider: Provider, _ dependencies: Dependencies) async throws -> RevocationRequest.Outcome {
    guard let endpoint = provider.revocation.revocationEndpoint, grant.tokenSecret != nil else { return .unsupported }
    let endpoints = try OAuth1Endpoints(account: grant.account, client: grant.client, provider: provider, dependencies: dependencies)
    return try await endpoints.revoke(try grant.signingToken(), at: endpoint)
  }

  /// Sends the request that the token itself signs.
  private func revoke(_ token: OAuth1Token, at endpoint: String) async throws -> RevocationRequest.Outcome {
    let (response, request) = try await ask(signer.draft(HTTPRequest.toTokenEndpoint(endpoint, "POST"), token: token))
    guard let problem = OAuth1Problem(response, sent: request) else { return .revoked }
    if problem.refusesToken || problem.problem.map(provider.api.expired.codes.contains) == true { return .revoked }
    if problem.refusesTimestamp { return .failed(problem.failure) }
    let outcome = RevocationRequest.outcome(response)
    if case .failed = outcome { return .failed(problem.failure) }
    return outcome
  }

  /// Exchanges a request token that was approved with an OpenID sign-in (OpenID OAuth Extension 1.0, 10): with an empty secret and no verifier.
  /// The signed response to this process's own sign-in proves what a verifier would prove.
  func tokenCredentials(approved token: Secret) async throws -> TokenCredentials {
    let endpoint = try endpoint(provider.oauth1.accessTokenEndpoint, "accessTokenEndpoint")
    let parameters = provider.oauth1.accessTokenParameters.pairs.map { OAuth1Parameter($0.name, $0.value) }
    let (response, request) = try await ask(
      signer.draft(
        .toTokenEndpoint(endpoint, method), token: OAuth1Token(token: token, secret: Secret("")), parameters: parameters))
    return try Self.explaining(request) { () throws(OAuthFailure) in try TokenCredentials(response, sent: request) }
  }

  private var method: String { provider.oauth1.tokenRequestMethod.rawValue }

  private func endpoint(_ endpoint: String?, _ member: String) throws(OAuthFailure) -> String {
    if let endpoint { return endpoint }
    throw OAuthFailure.misconfigured("/provider/\(member)", "the provider has no \(member)")
  }

  private func ask(_ unsigned: OAuth1Request) async throws -> (HTTPResponse, OAuth1Request) {
    var hasCorrected = false
    while true {
      var request = unsigned
      // A resend on another connection would repeat a used nonce.
      request.request.isSentOnce = true
      request.request.add(provider.token.tokenHeaders)
      request.nonce = signer.nonce()
      request.timestamp = signer.timestamp
      var sent = try request.signed()
      sent.baseString = try request.explanation().baseString
      let response = try await dependencies.http.exchange(sent, to: provider)
      let problem = hasCorrected ? nil : OAuth1Problem(response, sent: request)
      guard let problem, signer.correctsClock(from: problem, response) else { return (response, request) }
      hasCorrected = true
    }
  }
}
