import Synchronization

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// A provider with prepared answers, one for each request in turn. It records the requests for the test.
final class PreparedAnswers: HTTPClient {
  typealias Answer = @Sendable (HTTPRequest) -> Result<HTTPResponse, HTTPFailure>

  private struct State {
    var answers: [Answer]
    var requests: [HTTPRequest] = []
  }

  private let state: Mutex<State>

  init(_ answers: [Answer] = []) {
    state = Mutex(State(answers: answers))
  }

  /// All requests, in order.
  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  /// The number of unused answers.
  var left: Int { state.withLock { $0.answers.count } }

  func add(_ answer: @escaping Answer) {
    state.withLock { $0.answers.append(answer) }
  }

  func add(status: Int = 200, headers: [HTTPHeader] = [], body: String) {
    add { _ in .success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))) }
  }

  /// A request without a prepared answer fails with `HTTPFailure.unavailable`.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    if Task.isCancelled { throw .cancelled }
    let answer: Answer? = state.withLock { state in
      state.requests.append(request)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw .unavailable(reason: "no answer was prepared for \(request.method) \(request.url)") }
    return try answer(request).get()
  }
}
