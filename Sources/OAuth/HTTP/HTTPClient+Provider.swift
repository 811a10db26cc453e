import OAuthCore

extension HTTPClient {
  /// Sends a request to one of the provider's endpoints. A published endpoint is limited to the scope of its server.
  func send(_ request: HTTPRequest, to provider: Provider) async throws(HTTPFailure) -> HTTPResponse {
    var request = request
    request.scopeLimit = min(request.scopeLimit, provider.scopeLimit(of: request.url))
    return try await send(request)
  }
}
