import OAuthCore

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
    let parsed = try OAuth1Response(succeeding: response, request)
    token = try parsed.token()
    sessionHandle = parsed["oauth_session_handle"].flatMap { $0.isEmpty ? nil : Secret($0) }
    expiresIn = Self.seconds(parsed["oauth_expires_in"])
    authorizationExpiresIn = Self.seconds(parsed["oauth_authorization_expires_in"])
    extra = parsed.members.filter { !Self.names.contains($0.name) }
  }

  private static let names = [
    "oauth_token", "oauth_token_secret", "oauth_session_handle", "oauth_expires_in", "oauth_authorization_expires_in",
  ]

  package subscript(_ name: String) -> String? { extra.last { $0.name == name }?.value }

  /// Returns whole seconds up to a century. Some services send 0 for a token that does not expire, which gives nil.
  private static func seconds(_ text: String?) -> Int64? {
    guard let seconds = text.flatMap({ Int64($0) }), (1...3_155_760_000).contains(seconds) else { return nil }
    return seconds
  }
}
