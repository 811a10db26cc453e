import OAuthCore

/// The ways in which a sign-in ends without a grant, and what its page shows.
extension SignIn {
  static func timedOut(_ timeout: Int, _ lifetime: Int? = nil) -> OAuthFailure {
    guard let lifetime else { return OAuthFailure(.timedOut, "the sign-in was not finished within \(timeout) s", isRetryable: true) }
    return OAuthFailure(.timedOut, "the user did not sign in within the \(lifetime) s that the code was valid", isRetryable: true)
  }

  nonisolated var cancelled: OAuthFailure { ended("the sign-in was cancelled") }
  nonisolated var replaced: OAuthFailure { ended("another sign-in of the account took the place of this one") }

  /// The failure of a request that wants a different page while this sign-in is open.
  nonisolated func inProgress(for other: AuthorizationPlan) -> OAuthFailure {
    // Interaction `always` takes the place of the own client's sign-in only.
    let always = plan.isOfClient(of: other) ? " or authorize's interaction \"always\"" : ""
    return OAuthFailure(
      .signInInProgress, "another sign-in of the account is open: wait for it with awaitSignIn, or end it with signOut\(always)",
      details: [.init("signIn", .string(prompt.id))], isRetryable: true, account: plan.account)
  }

  private nonisolated func ended(_ message: String) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(.noGrant, account: plan.account)
    failure.message = message
    return failure
  }

  /// What the page shows after the end.
  func page(of result: Result<Grant, any Error>) -> ResultPage.Outcome {
    switch result {
    case .success: .succeeded(account: plan.account, provider: plan.provider.name)
    case .failure(let failure as OAuthFailure): failure == replaced ? failed(.replaced) : Self.page(failure, plan.provider.name)
    case .failure(is CancellationError): failed(.ended)
    case .failure: failed(.unknown)
    }
  }

  private static func page(_ failure: OAuthFailure, _ provider: String) -> ResultPage.Outcome {
    let reason: ResultPage.Reason
    switch failure.kind {
    case .accessDenied where failure["reason"] == nil: return .denied(provider: provider)
    case .accessDenied: reason = .anotherUser
    case .authorizationServerError, .serviceError: reason = .refused
    // A host did not answer in time; it was not the user.
    case .timedOut where failure["host"] != nil: reason = .unreachable
    case .networkFailure: reason = .unreachable
    case .timedOut: reason = .timedOut
    case .responseUntrusted, .responseTooLarge: reason = .untrusted
    case .storageFailure: reason = .notKept
    case .configurationInvalid, .unsupportedByProvider: reason = .misconfigured
    case .signInRequired: reason = .cancelled
    default: reason = .unknown
    }
    return .failed(reason, said: (failure["errorDescription"] ?? failure["error"])?.string, provider: provider)
  }

  func failed(_ reason: ResultPage.Reason) -> ResultPage.Outcome { .failed(reason, provider: plan.provider.name) }
}
