/// The response to a temporary credential request (RFC 5849 §2.1).
package struct TemporaryCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// The other members of the response, such as `xoauth_request_auth_url`.
  package let extra: [OAuth1Parameter]

  /// Throws the failure of an `OAuth1Problem` for an error response.
  ///
  /// Throws `responseUntrusted` without a token, a secret or `oauth_callback_confirmed=true`. A server that does not confirm uses the first
  /// version of OAuth 1.0, which is open to the session fixation attack of 2009.
  package init(_ response: HTTPResponse, sent request: OAuth1Request) throws(OAuthFailure) {
    let answer = try OAuth1Answer(succeeding: response, request)
    token = try answer.token()
    guard let confirmed = answer["oauth_callback_confirmed"], confirmed.lowercased() == "true" else {
      throw .untrusted("the server did not confirm the callback")
    }
    extra = answer.extra(beside: ["oauth_callback_confirmed"])
  }

  /// Returns the URL of the authorization page (§2.2): the endpoint with its own query, the token, and the service's extra parameters
  /// (`domain`, `hd`, `hl`, `btmpl`, `scope` in GTMOAuth). The URL is not signed.
  package func authorizationURL(_ endpoint: String, parameters: [OAuth1Parameter] = []) throws(OAuthFailure) -> String {
    do throws(URLFailure) {
      let pairs = [("oauth_token", token.token.value)] + parameters.filter { !$0.value.isEmpty }.map { ($0.name, $0.value) }
      return try URLParts(endpoint).appendingQuery(pairs).description
    } catch {
      throw OAuthFailure(.configurationInvalid, error.description, details: [.init("path", "/authorizationEndpoint")])
    }
  }
}

/// The response to a token request (RFC 5849 §2.3).
package struct TokenCredentials: Sendable, Equatable {
  package let token: OAuth1Token
  /// Renews the token after it has expired (OAuth Session 1.0 draft 1, §3).
  package let sessionHandle: Secret?
  /// Seconds after the response; nil if the token does not expire.
  package let expiresIn: Int64?
  /// Seconds during which the handle can renew the token; nil if unknown.
  package let authorizationExpiresIn: Int64?
  /// The other members of the response, such as `user_id`, `screen_name` and `edam_shard`.
  package let extra: [OAuth1Parameter]

  /// Throws the failure of an `OAuth1Problem` for an error response, and `responseUntrusted` without a token or a secret.
  package init(_ response: HTTPResponse, sent request: OAuth1Request) throws(OAuthFailure) {
    let answer = try OAuth1Answer(succeeding: response, request)
    token = try answer.token()
    sessionHandle = answer["oauth_session_handle"].flatMap { $0.isEmpty ? nil : Secret($0) }
    expiresIn = Self.seconds(answer["oauth_expires_in"])
    authorizationExpiresIn = Self.seconds(answer["oauth_authorization_expires_in"])
    extra = answer.extra(beside: ["oauth_session_handle", "oauth_expires_in", "oauth_authorization_expires_in"])
  }

  package subscript(_ name: String) -> String? { extra.last { $0.name == name }?.value }

  /// Returns whole seconds up to a century. Some services send 0 for a token that does not expire, which gives nil.
  private static func seconds(_ text: String?) -> Int64? {
    guard let seconds = text.flatMap({ Int64($0) }), (1...3_155_760_000).contains(seconds) else { return nil }
    return seconds
  }
}

extension OAuth1Answer {
  /// Reads a successful response; throws the failure of any other.
  fileprivate init(succeeding response: HTTPResponse, _ request: OAuth1Request) throws(OAuthFailure) {
    if let problem = OAuth1Problem(response, sent: request) { throw problem.failure }
    self.init(response)
  }

  /// Returns the token. Token and secret must be present and unambiguous; the secret may be empty.
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
