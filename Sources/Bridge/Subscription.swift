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

  /// Continues after what `former` has brought.
  func run(after former: Reception? = nil) async -> End {
    var (last, failures) = (former, 0)
    while isDone?() != true {
      do {
        if let last {
          let pause = max(last.retry ?? Self.pause, Self.shortestPause)
          try await bridge.clock.sleep(milliseconds: max(pause, min(pause << min(failures, 5), Self.longestPause)))
        }
        let reception = bridge.reception(after: last, wasOpen: isDone == nil ? agreement?.wasOpen : nil)
        let headers = (agreement?.headers ?? []) + (last?.lastID.map { [HTTPHeader("Last-Event-ID", $0)] } ?? [])
        var refusal: End?
        do {
          let response = try await bridge.transport.send("GET", headers, into: reception)
          refusal = self.refusal(response, reception)
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
    let hasSession = agreement?.id != nil
    let wasOpen = hasSession && isDone == nil && agreement?.wasOpen.isSet == true
    return switch response.status {
    // A server without the stream may answer so, too. Then the next request finds out whether it has forgotten the session.
    case 404 where wasOpen, 404 where hasSession && isDone != nil: .forgotten
    // The session may live on although the server has not noticed the end of the former stream. A request finds out.
    case 400 where wasOpen, 409 where wasOpen: nil
    case 429, 500...: nil
    case 200..<300 where reception.isStream: nil
    default: .done
    }
  }
}
