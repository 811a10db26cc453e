import OAuthCore

/// Calls the token endpoint and reads its response. Failures never contain the secrets that were sent.
struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: Client
  let http: any HTTPClient
  /// Unix seconds.
  package let clock: @Sendable () -> Int
  var pace = TokenPace()
  /// Whether the server rejected Basic while the method was being probed.
  var hasRefusedBasic = false

  static let missing = OAuthFailure(
    .configurationInvalid, "the provider has no token endpoint", details: [.init("path", "/provider/tokenEndpoint")])

  func ask(_ request: TokenRequest) async throws(OAuthFailure) -> TokenResponse {
    var once = self
    return try await once.askAgain(request)
  }

  /// Sends a request as one of several. The probed client authentication method is remembered for the next one.
  mutating func askAgain(_ request: TokenRequest) async throws(OAuthFailure) -> TokenResponse {
    guard isProbing else { return try await ask(request, provider) }
    if hasRefusedBasic { return try await ask(request, as: .body) }
    do throws(OAuthFailure) {
      return try await ask(request, as: .basic)
    } catch {
      guard error["error"] == "invalid_client" else { throw error }
      hasRefusedBasic = true
      return try await ask(request, as: .body)
    }
  }

  /// Whether Basic and the body have to be probed.
  var isProbing: Bool { provider.token.clientAuthentication == .probe && client.secret != nil }

  private func ask(_ request: TokenRequest, as way: TokenOptions.ClientAuthentication) async throws(OAuthFailure) -> TokenResponse {
    var provider = provider
    provider.token.clientAuthentication = way
    var tokens = try await ask(request, provider)
    tokens.clientAuthentication = way
    return tokens
  }

  private func ask(_ request: TokenRequest, _ provider: Provider) async throws(OAuthFailure) -> TokenResponse {
    try provider.token.checkSecret(of: client)
    guard let httpRequest = request.httpRequest(provider, client) else { throw Self.missing }
    let signed = httpRequest.signed(provider.token, client, at: clock())
    return try await pace.send(to: .init(signed.url, client)) { () throws(OAuthFailure) in
      do throws(HTTPFailure) {
        return try await http.send(signed, to: provider)
      } catch {
        throw OAuthFailure(error)
      }
    } response: {
      $0
    } read: { response throws(OAuthFailure) in
      try TokenResponse(response, provider.answer, hiding: Redaction(request.secrets, client: client, provider: provider))
    }
  }
}

extension TokenEndpoint {
  /// Default for `pace`: fails a request during a pause that the server asked for.
  init(_ provider: Provider, _ client: Client, _ dependencies: Dependencies, _ pace: TokenPace? = nil) {
    self.init(
      provider: provider, client: client, http: dependencies.http, clock: dependencies.clock, pace: pace ?? TokenPace(dependencies))
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
