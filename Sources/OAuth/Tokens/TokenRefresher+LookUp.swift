import Jansson
import OAuthCore
import Platform

extension TokenRefresher {
  /// The look-up of the values that a grant does not have.
  struct LookUp {
    let grant: Grant
    /// The grant with its values; nil if the look-up failed.
    let answer = Promise<Grant?>()
    /// When the look-up failed, in Unix seconds.
    var failed: Int?
  }

  /// Seconds without another look-up after a failed one. A service that does not answer must not delay every call.
  private static let lookUpPause = 60

  /// Returns the grant with the missing values; nil if the look-up failed. All calls with the same grant share one request.
  func completed(_ grant: Grant, requestID: JSON?) async -> Grant? {
    let key = AccountKey(grant.account)
    if let known = lookUps[key], known.grant.isSame(as: grant) {
      guard let failed = known.failed else { return (try? await known.answer.value()) ?? nil }
      if (failed..<failed + Self.lookUpPause).contains(dependencies.clock()) { return nil }
    }
    let lookUp = LookUp(grant: grant)
    lookUps[key] = lookUp
    // A caller's cancellation does not affect this task, because other callers may wait for the same result.
    Task {
      var found = await AccountLookupRequest(dependencies: dependencies, requestID: requestID).completed(grant)
      if let better = found, await !replace(grant, with: better) {
        // The account has a newer grant. The calls continue with theirs and its old generation number.
        found?.generation = grant.generation
      }
      if lookUps[key]?.answer === lookUp.answer {
        lookUps[key] = nil
        if found == nil { lookUps[key] = LookUp(grant: grant, failed: dependencies.clock()) }
      }
      lookUp.answer.settle(.success(found))
    }
    return (try? await lookUp.answer.value()) ?? nil
  }
}
