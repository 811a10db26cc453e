import Jansson
import OAuthCore

/// The exchange of a sign-in's access token for a long-lived one, for providers with such a step.
struct LongLivedExchange: Sendable {
  let dependencies: Dependencies
  /// The id of the request that caused the sign-in.
  let requestID: JSON?

  /// Returns the grant with its long-lived token; nil if there is nothing to exchange or the exchange failed.
  ///
  /// A failure is reported, and the login stays valid: the token of the sign-in is valid for a while, and the next refresh tries again.
  func exchanged(_ grant: Grant) async -> Grant? {
    guard grant.isShortLived else { return nil }
    do throws(OAuthFailure) {
      return try await TokenExchange(dependencies: dependencies).renewed(grant).grant
    } catch {
      // The sign-in is stopped. Its own event reports that.
      if Task.isCancelled { return nil }
      var failure = error.of(grant.account)
      let what = failure.isRetryable ? "could not be had yet" : "was refused"
      failure.message =
        "a long-lived token \(what), so the short-lived one of the sign-in is kept and the next refresh asks again: \(failure.message)"
      dependencies.emit(AccountEvent(account: grant.account, requestID: requestID, kind: .failed(failure)))
      return nil
    }
  }
}
