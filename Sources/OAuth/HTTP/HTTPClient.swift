import OAuthCore

/// Sends one request to a server and returns its response. The program uses libcurl; tests use an array of prepared responses.
package protocol HTTPClient: Sendable {
  /// Sends exactly once and follows no redirect. Cancelling the task ends the exchange with `HTTPFailure.cancelled`.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
