import Jansson

/// The token response (RFC 6749, 5.1). It is read leniently, but the access token must be present and fit into a header.
package struct TokenResponse: Sendable {
  package var accessToken: Secret
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// The scheme for `Authorization`. Any spelling of `bearer` becomes `Bearer`. Default: `Bearer`.
  package var tokenType: String
  package var expiry: TokenExpiry
  package var refreshTokenExpiry: TokenExpiry
  /// nil if the response has no `scope`, which means the requested scopes (RFC 6749, 5.1).
  package var scopes: [String]?
  /// Members of the response that are stored with the account.
  package var attributes = NamedValues<String>()
  /// How the client authenticated, if several methods were tried.
  package var clientAuthentication: TokenOptions.ClientAuthentication?

  /// `hidden` holds the values that the request sent and that no error may quote.
  package init(
    _ response: HTTPResponse, _ options: TokenResponseOptions = .init(), hiding hidden: Redaction = .none
  ) throws(OAuthFailure) {
    let answer = TokenAnswer(response, options, hiding: hidden)
    if let failure = answer.failure { throw failure }
    do throws(OAuthFailure) {
      try self.init(answer, options)
    } catch {
      var failure = error
      failure.rotatedRefreshToken = Self.refreshToken(answer)
      throw failure
    }
  }

  private init(_ answer: TokenAnswer, _ options: TokenResponseOptions) throws(OAuthFailure) {
    guard let token = answer["access_token"]?.string, !token.isEmpty else {
      throw answer.missing("access token", of: "token")
    }
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .untrusted("the access token has characters that are invalid in a header")
    }
    accessToken = Secret(token)
    refreshToken = Self.refreshToken(answer)
    // Some servers send an empty ID token instead of none.
    idToken = answer["id_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
    guard let type = Self.scheme(answer["token_type"]?.string, options) else {
      throw .untrusted("the token type is not the name of an authentication scheme")
    }
    guard !Self.proven.contains(type.lowercased()) else {
      throw .unsupported("the provider issued a token of the type \(type), which is not supported: each call needs a proof")
    }
    tokenType = type
    expiry = TokenExpiry(answer["expires_in"], options, usually: options.expiresDefault)
    refreshTokenExpiry = TokenExpiry(answer["refresh_token_expires_in"] ?? answer["refresh_expires_in"], options, usually: nil)
    scopes = answer["scope"]?.scopes
    attributes = answer.attributes
  }

  private static func refreshToken(_ answer: TokenAnswer) -> Secret? {
    answer["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : Secret($0) }
  }

  /// Token types that must not be sent without a proof of the key that they are bound to (RFC 6749, 7.1; RFC 9449, 7.1; the draft of MAC tokens).
  private static let proven: Set = ["dpop", "mac", "pop"]

  /// Returns the scheme for a token whose `token_type` is `told`; nil if it is invalid. It becomes part of a header (RFC 9110, 11.4),
  /// where a space or a line end would change what is sent.
  package static func scheme(_ told: String?, _ options: TokenResponseOptions) -> String? {
    var type = options.tokenType ?? told ?? ""
    if type.isEmpty { type = options.tokenTypeDefault }
    guard type.utf8.count <= 64, type.utf8.allSatisfy({ isASCIILetterOrDigit($0) || "-._~+".utf8.contains($0) }) else { return nil }
    return type.lowercased() == "bearer" ? "Bearer" : type
  }
}
