import OAuthCore

/// Sends one request to a server and returns its response. The program uses libcurl; tests use an array of prepared responses.
package protocol HTTPClient: Sendable {
  /// Sends exactly once and follows no redirect. Cancelling the task ends the exchange with `HTTPFailure.cancelled`.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}

extension HTTPClient {
  /// Sends a request and reports a failed exchange as `OAuthFailure`. Throws `CancellationError` if the task is cancelled.
  /// A request to one of the provider's endpoints is limited to the scope of the server that published it.
  func exchange(_ request: HTTPRequest, to provider: Provider? = nil) async throws -> HTTPResponse {
    var request = request
    if let provider { request.scopeLimit = min(request.scopeLimit, provider.scopeLimit(of: request.url)) }
    do throws(HTTPFailure) {
      return try await send(request)
    } catch {
      try Task.checkCancellation()
      throw OAuthFailure(error)
    }
  }
}
