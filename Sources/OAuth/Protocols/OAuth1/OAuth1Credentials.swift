import Jansson

/// What a temporary credential request gave (RFC 5849 §2.1).
package struct TemporaryCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// What the answer had beside the token, its secret and the confirmation, such as `xoauth_request_auth_url`.
  package let extra: [OAuth1Parameter]

  /// An error answer gives its `OAuth1Problem`'s failure. Without a token, a secret or `oauth_callback_confirmed=true` the answer is
  /// `responseUntrusted`: a server that doesn't confirm speaks OAuth 1.0 as it was before the session fixation of 2009.
  package init(_ response: HTTPResponse, sent request: OAuth1Request) throws(OAuthFailure) {
    let answer = try OAuth1Answer(succeeding: response, request)
    token = try answer.token()
    guard let confirmed = answer["oauth_callback_confirmed"], confirmed.lowercased() == "true" else {
      throw .untrusted("the server did not confirm the callback")
    }
    extra = answer.extra(beside: ["oauth_callback_confirmed"])
  }

  /// The page on which somebody approves (§2.2): the endpoint with its own query, the token, and what the service takes beside it
  /// (`domain`, `hd`, `hl`, `btmpl`, `scope` with GTMOAuth). Nothing of it is signed.
  package func authorizationURL(_ endpoint: String, parameters: [OAuth1Parameter] = []) throws(OAuthFailure) -> String {
    do throws(URLFailure) {
      let pairs = [("oauth_token", token.token.value)] + parameters.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
      return try URLParts(endpoint).appendingQuery(pairs).description
    } catch {
      throw OAuthFailure(.configurationInvalid, error.description, details: [.init("path", "/authorizationEndpoint")])
    }
  }
}

/// What a token request gave (RFC 5849 §2.3).
package struct TokenCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// What renews the token once it expired (OAuth Session 1.0 draft 1, §3).
  package let sessionHandle: Secret?
  /// Seconds from the answer on; nil where the token doesn't expire by itself.
  package let expiresIn: Int64?
  /// Seconds for which the handle renews; nil if it is not given.
  package let authorizationExpiresIn: Int64?
  /// What the service says beside that: `user_id`, `screen_name`, `edam_shard`, ….
  package let extra: [OAuth1Parameter]

  /// An error answer gives its `OAuth1Problem`'s failure; without a token or a secret the answer is `responseUntrusted`.
  package init(_ response: HTTPResponse, sent request: OAuth1Request) throws(OAuthFailure) {
    let answer = try OAuth1Answer(succeeding: response, request)
    token = try answer.token()
    sessionHandle = answer["oauth_session_handle"].flatMap { $0.isEmpty ? nil : Secret($0) }
    expiresIn = Self.seconds(answer["oauth_expires_in"])
    authorizationExpiresIn = Self.seconds(answer["oauth_authorization_expires_in"])
    extra = answer.extra(beside: ["oauth_session_handle", "oauth_expires_in", "oauth_authorization_expires_in"])
  }

  package subscript(_ name: String) -> String? { extra.last { $0.name == name }?.value }

  /// A whole number of up to a century; 0 is how some services say that a token doesn't expire.
  private static func seconds(_ text: String?) -> Int64? {
    guard let seconds = text.flatMap({ Int64($0) }), (1...3_155_760_000).contains(seconds) else { return nil }
    return seconds
  }
}

extension OAuth1Answer {
  /// The answer where it is a success, else its failure is thrown.
  fileprivate init(succeeding response: HTTPResponse, _ request: OAuth1Request) throws(OAuthFailure) {
    if let problem = OAuth1Problem(response, sent: request) { throw problem.failure }
    self.init(response)
  }

  /// Both halves have to be there and to be said once; the secret may be empty.
  fileprivate func token() throws(OAuthFailure) -> OAuth1Token {
    guard let token = self["oauth_token"], !token.isEmpty else { throw .untrusted("the answer has no token") }
    guard let secret = self["oauth_token_secret"] else { throw .untrusted("the answer has no token secret") }
    guard !isAmbiguous("oauth_token"), !isAmbiguous("oauth_token_secret") else {
      throw .untrusted("the answer has two different tokens")
    }
    return OAuth1Token(token: Secret(token), secret: Secret(secret))
  }

  fileprivate func extra(beside known: Set<String>) -> [OAuth1Parameter] {
    members.filter { !known.contains($0.name) && $0.name != "oauth_token" && $0.name != "oauth_token_secret" }
  }
}
