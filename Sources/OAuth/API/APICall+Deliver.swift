import OAuthCore
import Platform

extension APICall {
  /// Milliseconds before a blocked stream is tried again, the same as in libcurl's loop.
  private static let patience = 20

  /// Writes a held-back body to the caller's sink.
  func deliver(_ body: [UInt8], to sink: HTTPRequest.Sink, _ deadline: Deadline) async throws {
    switch sink {
    case .memory: break
    case .file(let path, let overwrites):
      do throws(OAuthFailure) {
        try await Blocking.run { () throws(OAuthFailure) in
          do throws(HTTPFailure) {
            let file = try DownloadFile(path: path, overwrites: overwrites)
            try file.write(body)
            try file.finish()
          } catch {
            throw OAuthFailure(error)
          }
        }
      } catch {
        throw error.of(request.account)
      }
    case .stream(let hand):
      while !hand(0, body) {
        guard deadline.left > 0 else {
          throw OAuthFailure(
            .timedOut, "the client did not take the body within \(request.timeout) s", isRetryable: true, account: request.account)
        }
        try await accounts.clock.sleep(milliseconds: Self.patience)
      }
    }
  }
}
