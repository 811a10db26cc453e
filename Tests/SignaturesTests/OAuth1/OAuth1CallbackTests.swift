import Testing

@testable import OAuthCore
@testable import Signatures

@Suite struct OAuth1CallbackTests {
  private func callback(_ query: String) -> OAuth1Callback {
    OAuth1Callback(FormEncoding.decodeLeniently(query).map { RedirectParameter(name: $0.0, value: $0.1) }, token: Secret("tok"))
  }

  private func kind(_ callback: OAuth1Callback) -> OAuthFailure.Kind? {
    if case .failure(let failure) = callback { failure.kind } else { nil }
  }

  @Test func verifier() {
    #expect(callback("oauth_token=tok&oauth_verifier=v%2B1") == .verifier(Secret("v+1")))
    #expect(callback("oauth_verifier=v&x=y&oauth_token=tok") == .verifier(Secret("v")))
  }

  @Test(arguments: [
    "", "oauth_verifier=v", "oauth_token=other&oauth_verifier=v", "oauth_token=&oauth_verifier=v", "oauth_token=TOK&oauth_verifier=v",
    "oauth_token=tok&oauth_token=other&oauth_verifier=v", "oauth_token=other&oauth_token=tok&oauth_verifier=v", "denied=other", "denied",
    "oauth_problem=permission_denied", "oauth_problem=permission_denied&oauth_token=other", "oauth_token=other&denied=tok",
    "state=tok&code=v", "denied=tok&denied=other",
  ])
  func notOurs(query: String) { #expect(callback(query) == .notOurs) }

  @Test func notOursWithoutAToken() {
    #expect(OAuth1Callback([RedirectParameter(name: "oauth_token", value: "")], token: Secret("")) == .notOurs)
  }

  @Test(arguments: [
    "denied=tok", "oauth_token=tok&denied=tok", "oauth_token=tok&oauth_problem=permission_denied",
    "oauth_token=tok&oauth_problem=user_refused",
    "oauth_token=tok&oauth_verifier=denied", "oauth_token=tok&oauth_verifier=v&oauth_problem=permission_denied",
  ])
  func denied(query: String) { #expect(kind(callback(query)) == .accessDenied) }

  @Test func otherEnds() {
    #expect(kind(callback("oauth_token=tok")) == .responseUntrusted)
    #expect(kind(callback("oauth_token=tok&oauth_verifier=")) == .responseUntrusted)
    #expect(kind(callback("oauth_token=tok&oauth_verifier=a&oauth_verifier=b")) == .responseUntrusted)
    #expect(kind(callback("oauth_token=tok&oauth_problem=token_expired")) == .authorizationServerError)
  }

  @Test func typed() {
    #expect(OAuth1Callback.typed(Secret(" 123 456\n")) == Secret("123 456"))
    #expect(OAuth1Callback.typed(Secret(" \t\n")) == nil)
  }
}
