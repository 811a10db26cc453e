import OAuthCore
import Platform

extension APICall {
  /// Runs `work`, such as getting a new token, within the call's time.
  func withTokenTimeout<Value: Sendable>(_ deadline: Deadline, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await accounts.withTokenTimeout(request.account, deadline.left, of: deadline.seconds, work)
  }

  /// Returns the milliseconds to wait before the next attempt; nil if there is none.
  func pause(after result: Sent, _ limits: RateLimitHeaders, attempts: Int, deadline: Deadline) -> Int? {
    let isIdempotent = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"].contains(request.method.uppercased())
    guard request.retries ?? isIdempotent, attempts < Self.attemptLimit else { return nil }
    var pause = 250 << (attempts - 1)
    switch result {
    case .success(let response, _) where [429, 502, 503, 504].contains(response.status) || limits.isReached(response):
      if let reset = limits.reset(response) { pause = max(0, reset - accounts.now) * 1000 }
      if let text = response.header("Retry-After"), let after = try? RetryAfter(text, now: Int64(accounts.now)) {
        pause = Int(after.seconds(from: Int64(accounts.now))) * 1000
      }
    case .failure(.network(_, "broken", answered: false)): break
    default: return nil
    }
    // A wait beyond the call's time is useless. The present response says more.
    return (pause + 999) / 1000 < deadline.left ? pause : nil
  }
}
