import Synchronization

@testable import HTTP
@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// A provider with prepared responses, one for each request in turn. It records the requests for the test.
final class PreparedResponses: HTTPClient {
  typealias Response = @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPFailure>

  private struct State {
    var responses: [Response]
    var requests: [HTTPRequest] = []
  }

  private let state: Mutex<State>

  init(_ responses: [Response] = []) {
    state = Mutex(State(responses: responses))
  }

  /// All requests, in order.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  /// The number of unused responses.
  var left: Int { state.withLock { $0.responses.count } }

  func add(_ response: @escaping Response) {
    state.withLock { $0.responses.append(response) }
  }

  func add(status: Int = 200, headers: [HTTPHeader] = [], body: String) {
    add { _ in .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))) }
  }

  /// A request without a prepared response fails with `HTTPFailure.unavailable`.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    if Task.isCancelled { throw .cancelled }
    let response: Response? = state.withLock { state in
      state.requests.append(request)
      return state.responses.isEmpty ? nil : state.responses.removeFirst()
    }
    guard let response else { throw .unavailable(reason: "no response was prepared for \(request.method) \(request.url)") }
    return try response(request).get()
  }
}
