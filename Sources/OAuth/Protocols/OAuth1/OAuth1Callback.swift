import Jansson

/// What came to the callback (RFC 5849 §2.2), judged by the token whose approval was asked for.
package enum OAuth1Callback: Sendable, Equatable {
  /// It names another token or none: no sign-in of this token's, so the wait goes on.
  case notOurs
  case verifier(Secret)
  case failure(OAuthFailure)

  /// `parameters` are the redirect's, decoded; `token` is the temporary credentials'.
  ///
  /// A refusal counts as ours by its token alone, too: else any page that somebody visits could end the sign-in.
  package init(_ parameters: [RedirectParameter], token: Secret) {
    func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
    // X tells a refusal by `denied=TOKEN` in place of `oauth_token`.
    let denied = values("denied")
    let tokens = values("oauth_token") + (values("oauth_token").isEmpty ? denied : [])
    guard let named = tokens.first, !token.value.isEmpty, named == token.value, tokens.allSatisfy({ $0 == named }) else {
      self = .notOurs
      return
    }
    let verifiers = values("oauth_verifier")
    if let problem = values("oauth_problem").first, !problem.isEmpty {
      self = .failure(OAuth1Problem(status: nil, problem: problem, advice: values("oauth_problem_advice").first).failure)
    } else if denied.contains(token.value) || verifiers == ["denied"] {
      // Jira says `oauth_verifier=denied`; no verifier is a word of six letters.
      self = .failure(OAuthFailure(.accessDenied, "the sign-in was denied", details: [.init("error", "permission_denied")]))
    } else if verifiers.count > 1 {
      self = .failure(.untrusted("the redirect has two verifiers"))
    } else if let verifier = verifiers.first, !verifier.isEmpty {
      self = .verifier(Secret(verifier))
    } else {
      self = .failure(.untrusted("the redirect has neither a verifier nor a problem"))
    }
  }

  /// The verifier that somebody typed or pasted (`oob`), without the blanks around it; nil where nothing is left.
  package static func typed(_ text: Secret) -> Secret? {
    var rest = Substring(text.value).drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest.isEmpty ? nil : Secret(String(rest))
  }
}
