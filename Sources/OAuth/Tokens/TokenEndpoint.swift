import OAuthCore

/// Calls the token endpoint and reads its response. Failures never contain the secrets that were sent.
struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: Client
  private let dependencies: Dependencies
  private let policy: TokenPauses.Policy
  var probe = ClientAuthenticationProbe()

  static let missing = OAuthFailure.misconfigured("/provider/tokenEndpoint", "the provider has no token endpoint")

  init(_ provider: Provider, _ client: Client, _ dependencies: Dependencies, _ policy: TokenPauses.Policy = .fails) {
    (self.provider, self.client, self.dependencies, self.policy) = (provider, client, dependencies, policy)
  }

  func ask(_ request: TokenRequest) async throws -> TokenResponse {
    var once = self
    return try await once.askAgain(request)
  }

  /// Sends a request as one of several. The probed client authentication method is remembered for the next one.
  mutating func askAgain(_ request: TokenRequest) async throws -> TokenResponse {
    let endpoint = self
    return try await probe.send(provider, client) { provider in
      var tokens = try await endpoint.ask(request, provider)
      // The grant stores the method that the probe has found.
      let way = provider.token.clientAuthentication
      if way != endpoint.provider.token.clientAuthentication { tokens.clientAuthentication = way }
      return tokens
    }
  }

  private func ask(_ request: TokenRequest, _ provider: Provider) async throws -> TokenResponse {
    try provider.token.checkSecret(of: client)
    guard let httpRequest = request.httpRequest(provider, client) else { throw Self.missing }
    let signed = httpRequest.signed(provider.token, client, at: dependencies.clock.now)
    return try await dependencies.pauses.send(to: .init(signed.url, client), policy, dependencies.clock) {
      (try await dependencies.http.exchange(signed, to: provider), ())
    } read: { response, _ throws(OAuthFailure) in
      try TokenResponse(response, provider.answer, hiding: Redaction(request.secrets, client: client, provider: provider))
    }
  }
}

extension TokenRequest {
  var secrets: [Secret] {
    switch self {
    case .code(let code, _, let verifier, _): [code] + [verifier].compactMap(\.self)
    case .device(let code, _, _): [code]
    case .client: []
    case .refresh(let token, _, _), .longLived(let token): [token]
    }
  }
}
