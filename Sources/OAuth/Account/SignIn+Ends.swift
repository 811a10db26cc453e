/// How a sign-in can end without a grant, and what its page shows.
extension SignIn {
  static func timedOut(_ timeout: Int, _ lifetime: Int? = nil) -> OAuthFailure {
    guard let lifetime else { return OAuthFailure(.timedOut, "nobody finished the sign-in in \(timeout) s", isRetryable: true) }
    return OAuthFailure(.timedOut, "nobody signed in within the \(lifetime) s that the code to type was good for", isRetryable: true)
  }

  nonisolated var cancelled: OAuthFailure { ended("the sign-in was cancelled") }
  nonisolated var replaced: OAuthFailure { ended("another sign-in of the account took the place of this one") }

  private nonisolated func ended(_ message: String) -> OAuthFailure {
    var failure = OAuthFailure.signInRequired(.noGrant, account: setup.account)
    failure.message = message
    failure.wasTold = true
    return failure
  }

  static func page(_ result: Result<Grant, any Error>, _ setup: AuthorizeSetup) -> ResultPage.Outcome {
    switch result {
    case .success: .succeeded(account: setup.account, provider: setup.provider.name)
    case .failure(let failure as OAuthFailure) where failure.kind == .accessDenied: .denied
    case .failure(let failure as OAuthFailure): .failed(reason: failure.message)
    case .failure: .failed(reason: "the sign-in could not be finished")
    }
  }
}
