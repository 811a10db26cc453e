import OAuthCore

/// Calls the two endpoints that issue credentials (RFC 5849, 2.1 and 2.3).
/// Repeats a request with the corrected time if the server rejects the timestamp.
struct OAuth1Endpoints: Sendable {
  let provider: Provider
  let signer: OAuth1Signer
  let http: any HTTPClient

  init(account: String, client: Client, provider: Provider, dependencies: Dependencies) throws(OAuthFailure) {
    self.provider = provider
    signer = try OAuth1Signer(account: account, client: client, provider: provider, dependencies: dependencies)
    http = dependencies.http
  }

  /// `callback` is nil if the service shows a verifier that the user types.
  func temporaryCredentials(callback: String?, parameters: [OAuth1Parameter]) async throws(OAuthFailure) -> TemporaryCredentials {
    let endpoint = try endpoint(provider.oauth1.requestTokenEndpoint, "requestTokenEndpoint")
    let (response, request) = try await ask(
      .temporaryCredentials(
        from: endpoint, method: method, callback: callback, parameters: parameters, client: signer.client, nonce: "", timestamp: 0))
    return try Self.explaining(request) { () throws(OAuthFailure) in try TemporaryCredentials(response, sent: request) }
  }

  func tokenCredentials(temporary token: OAuth1Token, verifier: Secret) async throws(OAuthFailure) -> TokenCredentials {
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
  func renewal(of token: OAuth1Token, sessionHandle: Secret, _ pace: TokenPace) async throws(OAuthFailure) -> TokenCredentials {
    let endpoint = try endpoint(provider.oauth1.accessTokenEndpoint, "accessTokenEndpoint")
    let unsigned = OAuth1Request.renewal(
      from: endpoint, method: method, token: token, sessionHandle: sessionHandle, client: signer.client, nonce: "", timestamp: 0)
    return try await pace.send(to: .init(endpoint, Client(id: signer.client.consumerKey))) { () throws(OAuthFailure) in
      try await ask(unsigned)
    } response: {
      $0.0
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

  /// Asks the service to revoke the token that signs the request. A token that is already invalid counts as revoked.
  func revoke(_ token: OAuth1Token, at endpoint: String) async throws(OAuthFailure) -> RevocationRequest.Outcome {
    let (response, request) = try await ask(signer.draft(HTTPRequest.toTokenEndpoint(endpoint, "POST"), token: token))
    guard let problem = OAuth1Problem(response, sent: request) else { return .revoked }
    if problem.refusesToken || problem.problem.map(provider.api.expired.codes.contains) == true { return .revoked }
    if problem.refusesTimestamp { return .failed(problem.failure) }
    let outcome = RevocationRequest.outcome(response)
    if case .failed = outcome { return .failed(problem.failure) }
    return outcome
  }

  private var method: String { provider.oauth1.tokenRequestMethod.rawValue }

  private func endpoint(_ endpoint: String?, _ member: String) throws(OAuthFailure) -> String {
    if let endpoint { return endpoint }
    throw OAuthFailure(
      .configurationInvalid, "the provider has no \(member)", details: [.init("path", .string("/provider/\(member)"))])
  }

  private func ask(_ unsigned: OAuth1Request) async throws(OAuthFailure) -> (HTTPResponse, OAuth1Request) {
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
      let response: HTTPResponse
      do throws(HTTPFailure) {
        response = try await http.send(sent, to: provider)
      } catch {
        throw OAuthFailure(error)
      }
      let problem = hasCorrected ? nil : OAuth1Problem(response, sent: request)
      guard let problem, signer.learns(from: problem, response) else { return (response, request) }
      hasCorrected = true
    }
  }
}
