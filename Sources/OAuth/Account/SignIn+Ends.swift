/// How a sign-in can end without a grant, and what its page shows.
extension SignIn {
  static func timedOut(_ timeout: Int, _ lifetime: Int? = nil) -> OAuthFailure {
    guard let lifetime else { return OAuthFailure(.timedOut, "the sign-in was not finished within \(timeout) s", isRetryable: true) }
    return OAuthFailure(.timedOut, "the user did not sign in within the \(lifetime) s that the code was valid", isRetryable: true)
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
    case .failure(let failure as OAuthFailure): page(failure, setup.provider.name)
    case .failure: .failed(.unknown, provider: setup.provider.name)
    }
  }

  private static func page(_ failure: OAuthFailure, _ provider: String) -> ResultPage.Outcome {
    let reason: ResultPage.Reason
    switch failure.kind {
    case .accessDenied where failure["reason"] == nil: return .denied(provider: provider)
    case .accessDenied: reason = .anotherUser
    case .authorizationServerError, .serviceError: reason = .refused
    // A host didn't answer in time, rather than the user.
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

  /// What is shown of a sign-in that ends without the round's grant; what an earlier round brought stands.
  func page(withoutGrant failure: any Error) -> ResultPage.Outcome {
    if let firstGrant { return Self.page(.success(firstGrant), setup) }
    if failure is CancellationError { return failed(.ended) }
    return failure as? OAuthFailure == replaced ? failed(.replaced) : Self.page(.failure(failure), setup)
  }

  func failed(_ reason: ResultPage.Reason) -> ResultPage.Outcome { .failed(reason, provider: setup.provider.name) }
}
