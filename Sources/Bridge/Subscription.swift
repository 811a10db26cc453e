import HTTP
import OAuthCore

/// A stream of the server that GET opens, and opens again where it broke off.
struct Subscription: Sendable {
  enum End: Sendable {
    /// What the stream is for has come, or the server has no such stream.
    case done
    /// The server has forgotten the session.
    case forgotten
    case failed(Failure)
  }

  /// Milliseconds before the client connects again if the server asks for none.
  private static let pause = 1000
  private static let shortestPause = 100
  private static let longestPause = 30_000
  /// How often in a row a stream that continues an answer may bring nothing new.
  private static let attempts = 5

  let bridge: Bridge
  let agreement: Session.Agreement?
  /// Whether what the stream is for has come; nil for the stream of the whole session, which lasts.
  var isDone: (@Sendable () -> Bool)?

  /// Continues after what `former` has brought. With `wasOpen`, the session has had a stream before.
  func run(after former: Reception? = nil, wasOpen: Bool = false) async -> End {
    var (last, failures, wasOpen) = (former, 0, wasOpen)
    while isDone?() != true {
      do {
        if let last {
          let pause = max(last.retry ?? Self.pause, Self.shortestPause)
          try await bridge.clock.sleep(milliseconds: max(pause, min(pause << min(failures, 5), Self.longestPause)))
        }
        let reception = bridge.reception(after: last)
        let headers = (agreement?.headers ?? []) + (last?.lastID.map { [HTTPHeader("Last-Event-ID", $0)] } ?? [])
        var refusal: End?
        do {
          let response = try await bridge.transport.send("GET", headers, into: reception)
          // The session may live on although the server has not noticed the end of the former stream. A request finds out.
          refusal = wasOpen && agreement?.id != nil && [400, 409].contains(response.status) ? nil : self.refusal(response, reception)
          wasOpen = wasOpen || isDone == nil && reception.isStream
        } catch is HTTPFailure {
          // The network may come back.
        } catch let failure as OAuthFailure where failure.isRetryable {
          // So may the authorization server.
        }
        if let refusal { return refusal }
        failures = reception.hasEvents || reception.lastID != last?.lastID ? 0 : failures + 1
        last = reception
      } catch is CancellationError {
        return .done
      } catch {
        return .failed(bridge.failure(error))
      }
      if isDone != nil, failures >= Self.attempts {
        return .failed(Failure("the connection to \(bridge.transport.url.hostAndPort) broke. The request may have been carried out"))
      }
    }
    return .done
  }

  /// Returns why it makes no sense to ask again; nil after a stream, and where the server may yet have one.
  private func refusal(_ response: HTTPResponse, _ reception: Reception) -> End? {
    switch response.status {
    case 404 where agreement?.id != nil: return .forgotten
    case 500...: return nil
    case 429: return nil
    case 200..<300 where reception.isStream: return nil
    default: return .done
    }
  }
}
