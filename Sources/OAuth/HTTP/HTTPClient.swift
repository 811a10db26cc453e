/// Whoever can carry one request to a server and bring back its answer: libcurl in the program, an array of prepared answers in tests.
package protocol HTTPClient: Sendable {
  /// Sends exactly once and follows no redirect; cancelling the task ends the exchange with `HTTPFailure.cancelled`.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
