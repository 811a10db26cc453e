import OAuthCore

/// The callback's result (RFC 5849 §2.2), matched with the token that the user was asked to approve.
package enum OAuth1Callback: Sendable, Equatable {
  /// It names another token or none, so it is ignored and the waiter keeps waiting.
  case notOurs
  case verifier(Secret)
  case failure(OAuthFailure)

  /// `parameters` are the redirect's, decoded. `token` is the temporary credentials' token.
  ///
  /// A denial also counts only with this token: otherwise any page that the user visits could end the sign-in.
  package init(_ parameters: [RedirectParameter], token: Secret) {
    func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
    // X reports a denial by `denied=TOKEN` instead of `oauth_token`.
    let denied = values("denied")
    let tokens = values("oauth_token") + (values("oauth_token").isEmpty ? denied : [])
    guard let named = tokens.first, !token.value.isEmpty, Secret(named) == token, tokens.allSatisfy({ $0 == named }) else {
      self = .notOurs
      return
    }
    let verifiers = values("oauth_verifier")
    if let problem = values("oauth_problem").first, !problem.isEmpty {
      self = .failure(OAuth1Problem(status: nil, problem: problem, advice: values("oauth_problem_advice").first).failure)
    } else if denied.contains(token.value) || verifiers == ["denied"] {
      // Jira sends `oauth_verifier=denied`. A real verifier is never this word.
      self = .failure(.denied(nil, [.init("error", "permission_denied")]))
    } else if verifiers.count > 1 {
      self = .failure(.untrusted("the redirect has two verifiers"))
    } else if let verifier = verifiers.first, !verifier.isEmpty {
      self = .verifier(Secret(verifier))
    } else {
      self = .failure(.untrusted("the redirect has neither a verifier nor a problem"))
    }
  }

  /// Returns the verifier that the user typed or pasted (`oob`), without white space around it; nil if it is empty.
  package static func typed(_ text: Secret) -> Secret? {
    let verifier = text.value.trimmed
    return verifier.isEmpty ? nil : Secret(String(verifier))
  }
}
