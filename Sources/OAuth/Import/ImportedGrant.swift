import Jansson

/// What another program kept of a sign-in: the tokens and what it knew of them.
package struct ImportedGrant: Sendable, Equatable {
  package var accessToken: Secret?
  package var tokenType: String?
  /// OAuth 1.0a's.
  package var tokenSecret: Secret?
  package var sessionHandle: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// Unix seconds.
  package var expiresAt: Int?
  /// When the tokens came, in Unix seconds, where the caller knows.
  package var issuedAt: Int?
  package var scopes: [String]?
  package var subject: String?
  package var email: String?
  package var attributes = NamedValues<String>()
  /// What `exportGrant` put beside the tokens.
  var facts: GrantFacts?
  /// A token answer that is still to be read: where in it things stand, the provider's description says.
  var answer: KeptAnswer?
  /// Unix seconds.
  package var refreshTokenExpiresAt: Int?
  /// What the program sent as its redirect URI whenever it signed in or refreshed.
  package var redirectUri: String?
  /// The provider's name as that program had it; a preset of that name is taken where the caller names none.
  package var providerName: String?

  package init() {}

  /// A token as it may go into a header (RFC 6750, 2.1); `path` is where it stood.
  static func token(_ text: String?, at path: String) throws(FieldError) -> Secret? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw FieldError(path, "has characters that no token can have") }
    return Secret(text)
  }
}

/// The forms in which grants come from elsewhere.
package enum ImportFormat: String, FieldWord {
  /// GTMOAuth's keychain string: `oauth_token=…&oauth_token_secret=…&…`.
  case gtmoauth
  /// GTMOAuth2's keychain string: `refresh_token=…&serviceProvider=…&…`.
  case gtmoauth2
  /// The texts of GoogleOAuth's two files, `acctok` (a property list) and `reftok`.
  case googleoauth
  /// SparkAPI's keychain keys `sparkAccessToken`, `sparkRefreshToken` and `sparkOpenId`.
  case spark
  /// A token answer (RFC 6749, 5.1), with `expires_at` in Unix seconds in the place of `expires_in` where it is known.
  case json

  /// What the data says by itself; `settled` reads the rest as the provider writes it. `issuedAt` is when the program got the tokens, in Unix seconds.
  package func read(_ data: JSON, issuedAt: Int?, now: Int) throws(FieldError) -> ImportedGrant {
    if let issuedAt, !UnixSeconds.instants.contains(issuedAt) { throw FieldError("/issuedAt", "is no instant in Unix seconds") }
    var grant = try parts(data, now: now)
    grant.issuedAt = issuedAt ?? grant.facts?.issuedAt
    return grant
  }

  private func parts(_ data: JSON, now: Int) throws(FieldError) -> ImportedGrant {
    switch self {
    case .gtmoauth: try .gtmoauth(text(data))
    case .gtmoauth2: try .gtmoauth2(text(data), now: now)
    case .googleoauth: try .googleoauth(data)
    case .spark: try .spark(data)
    case .json: try .json(data)
    }
  }

  private func text(_ data: JSON) throws(FieldError) -> Secret {
    guard case .string(let text) = data else { throw FieldError("/data", "has to be a string in the format \(rawValue), not \(data.kind)") }
    return Secret(text)
  }
}
