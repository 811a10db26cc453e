/// Asks the two endpoints that give credentials (RFC 5849, 2.1 and 2.3), once more with the right time where the server says that ours is off.
struct OAuth1Endpoints: Sendable {
  let provider: Provider
  let signer: OAuth1Signer
  let http: any HTTPClient

  init(account: String, client: Client, provider: Provider, surroundings: Surroundings) throws(OAuthFailure) {
    self.provider = provider
    signer = try OAuth1Signer(account: account, client: client, provider: provider, surroundings: surroundings)
    http = surroundings.http
  }

  /// `callback` is nil where the service shows a verifier that somebody types.
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

  /// What an answer is read to. A failure carries the base string, by which the developer finds out what the server signs otherwise.
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

  /// A new token by the session handle of the old one; a server that refuses either for good says so in `refusesRefreshToken`.
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

  /// Has the service end the token that signs the request; the outcome of one that is dead already is that it is revoked.
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
      // Sent again as it is, by a connection that died, its nonce would be a used one.
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
