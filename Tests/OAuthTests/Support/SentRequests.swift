import Synchronization

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// The requests that a server received, in order.
final class SentRequests: Sendable {
  private let requests = Mutex<[HTTPRequest]>([])

  var all: [HTTPRequest] { requests.withLock { $0 } }

  /// Records a request and returns how many there are now.
  func add(_ request: HTTPRequest) -> Int {
    requests.withLock {
      $0.append(request)
      return $0.count
    }
  }
}
