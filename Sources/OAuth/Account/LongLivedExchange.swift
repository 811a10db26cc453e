import Jansson

/// The exchange of a sign-in's access token for a long-lived one, where the provider has such a step.
struct LongLivedExchange: Sendable {
  let surroundings: Surroundings
  /// The id of the request that caused the sign-in.
  let cause: JSON?

  /// The grant with its long-lived token; nil where there is nothing to exchange or it could not be had.
  ///
  /// That it could not be had is told and costs nobody the login: the token of the sign-in is good for a while, and the next refresh asks again.
  func exchanged(_ grant: Grant) async -> Grant? {
    guard grant.isShortLived else { return nil }
    do throws(OAuthFailure) {
      return try await Renewal(surroundings: surroundings).renewed(grant).grant
    } catch {
      // The sign-in is stopped, which is told by its own event.
      if Task.isCancelled { return nil }
      var failure = error.of(grant.account)
      let what = failure.isRetryable ? "could not be had yet" : "was refused"
      failure.message =
        "a long-lived token \(what), so the short-lived one of the sign-in is kept and the next refresh asks again: \(failure.message)"
      surroundings.tell(AccountEvent(account: grant.account, cause: cause, fact: .failed(failure)))
      return nil
    }
  }
}
