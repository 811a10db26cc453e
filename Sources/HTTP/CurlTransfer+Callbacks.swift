import CCurl
import OAuthCore
import Platform

/// libcurl's callbacks, without the one for the body. The results are those that libcurl's documentation requires.
extension CurlTransfer {
  /// Milliseconds. Progress is reported at most 10 times a second.
  private static let progressInterval = 100

  /// Called before each sending, since 7.80. libcurl repeats a request that a kept connection lost.
  func maySend() -> Bool {
    if request.mayBeSent?() ?? true { return true }
    failure = .network(host: host, cause: "broken", answered: false)
    return false
  }

  func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    if head.take(line) { return line.count }
    failure = .network(host: host, cause: "protocol", answered: true)
    return 0
  }

  /// Whether some addresses of the host may be rejected, which an earlier request was allowed to reach.
  var isScopeLimited: Bool { request.scopeLimit < .thisMachine && !usesProxy }

  /// Whether the request is http, which reaches no public address.
  var isPlain: Bool { request.url.prefix(5).lowercased() == "http:" }

  func allows(_ address: UnsafePointer<sockaddr>) -> Bool {
    let scope = NetworkScope(address)
    if scope <= request.scopeLimit, !isPlain || scope > .publicNetwork { return true }
    rejectedScope = scope
    return false
  }

  func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    do throws(HTTPFailure) { return try source?.read(into: room) ?? 0 } catch {
      failure = error
      return CCURL_READ_ABORT
    }
  }

  func report(sent: Int) {
    let now = clock.uptime()
    if let reported {
      guard now - reported.at >= Self.progressInterval, (reported.sent, reported.received) != (sent, received) else { return }
    }
    reported = (now, sent, received)
    let first = download?.first ?? 0
    request.progress?(sent, first + received, head.length.map { first + $0 })
  }
}
