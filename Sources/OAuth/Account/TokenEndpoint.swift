import Jansson

/// Asks the token endpoint and reads its answer; whatever goes wrong comes back without the secrets that were sent.
struct TokenEndpoint: Sendable {
  let provider: Provider
  let client: Client
  let http: any HTTPClient

  func ask(_ request: TokenRequest) async throws(OAuthFailure) -> TokenResponse {
    guard let httpRequest = request.httpRequest(provider, client) else {
      throw OAuthFailure(
        .configurationInvalid, "the provider has no token endpoint", details: [.init("path", "/provider/tokenEndpoint")])
    }
    let response: HTTPResponse
    do {
      response = try await http.send(httpRequest)
    } catch {
      throw OAuthFailure(error)
    }
    return try TokenResponse(response, hiding: Redaction(request.secrets, client: client))
  }
}

extension TokenRequest {
  var secrets: [Secret] {
    switch self {
    case .code(let code, _, let verifier): [code] + [verifier].compactMap(\.self)
    case .refresh(let token, _): [token]
    }
  }
}
