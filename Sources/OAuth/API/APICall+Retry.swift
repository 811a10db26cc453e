import Jansson

extension APICall {
  /// What a new token needs of others counts among the call's time.
  func inTime<Value: Sendable>(_ deadline: Int, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await accounts.inTime(request.account, deadline - accounts.now, of: request.timeout, work)
  }

  /// How many milliseconds to wait before the next attempt; nil when there shall be none.
  func pause(after result: Sent, _ limits: RateLimitHeaders, attempts: Int, deadline: Int) -> Int? {
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
    // A wait that outlives the call's time helps nobody; the answer that there is says more.
    return accounts.now + (pause + 999) / 1000 < deadline ? pause : nil
  }
}
