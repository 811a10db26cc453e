import Jansson

extension TokenRequest {
  /// The token response (RFC 6749, 5.1). It is read leniently, but the access token must be present and fit into a header.
  package struct Response: Sendable {
    package var accessToken: Secret
    package var refreshToken: Secret?
    package var idToken: Secret?
    /// The scheme for `Authorization`. Any spelling of `bearer` becomes `Bearer`. Default: `Bearer`.
    package var tokenType: String
    package var issued = IssueTime(sent: Instant(seconds: 0))
    package var expiry: TokenExpiry
    package var refreshTokenExpiry: TokenExpiry
    /// The type of an exchanged token (RFC 8693, 2.2.1). Some servers leave it out.
    package var issuedTokenType: String?
    /// nil if the response has no `scope`, which means the requested scopes (RFC 6749, 5.1).
    package var scopes: [String]?
    /// Members of the response that are stored with the account.
    package var attributes = NamedValues<String>()
    /// The key that the tokens are bound to, if only the server's error has asked for one.
    package var dpopKey: Secret?
    /// How the client authenticated, if several methods were tried.
    package var clientAuthentication: TokenOptions.ClientAuthentication?

    /// The errors that a failure may quote from a response with status 2xx, where any other text may be a token. They are those of RFC 6749, RFC
    /// 8628, RFC 8707 and OpenID Connect, and of GitHub and Slack, whose errors have status 200.
    private static let errorNames: Set = [
      "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
      "access_denied", "server_error", "temporarily_unavailable", "authorization_pending", "slow_down", "expired_token",
      "invalid_target", "interaction_required", "login_required", "consent_required", "bad_verification_code",
      "incorrect_client_credentials", "redirect_uri_mismatch", "bad_refresh_token", "incorrect_device_code", "device_flow_disabled",
      "unverified_user_email", "invalid_refresh_token", "invalid_code", "code_already_used", "invalid_client_id", "bad_client_secret",
      "bad_redirect_uri", "token_revoked", "token_expired", "ratelimited",
    ]

    /// `hidden` holds the values that the request sent and that no error may quote. `names` are the provider's own names of errors.
    /// `isProven` says that the request had a proof of a key (RFC 9449, 5), to which the token must then be bound.
    package init(
      _ response: HTTPResponse, _ options: TokenResponseOptions = .init(), hiding hidden: Redaction = .none,
      errorsNamed names: [String] = [], isProven: Bool = false
    ) throws(OAuthFailure) {
      let parsed = AuthorizationServerResponse(response, options, hiding: hidden, shownErrors: Self.errorNames.union(names))
      if let failure = parsed.failure { throw failure }
      do throws(OAuthFailure) {
        try self.init(parsed, options, isProven: isProven)
      } catch {
        throw error.with(\.rotatedRefreshToken, Self.refreshToken(parsed))
      }
    }

    private init(_ response: AuthorizationServerResponse, _ options: TokenResponseOptions, isProven: Bool) throws(OAuthFailure) {
      guard let token = (response["access_token"] ?? response["token"])?.string else {
        throw response.missing(
          "access token", of: "token",
          advice: "if it has the token under another name, give that as tokenPath or memberNames in the provider's description")
      }
      guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw .untrusted("the access token has characters that are invalid in a header")
      }
      accessToken = Secret(token)
      refreshToken = Self.refreshToken(response)
      idToken = response["id_token"]?.string.map(Secret.init)
      guard let type = Self.scheme(response["token_type"]?.string, isProven ? .init() : options) else {
        throw .untrusted(
          "token_type of the token response is not the name of an authentication scheme: name the scheme as tokenType in the provider's description"
        )
      }
      tokenType = try Self.usable(type, isProven: isProven)
      func first(_ names: String...) -> JSON? { names.lazy.compactMap { response[$0] }.first }
      expiry = TokenExpiry(
        first("expires_in", "expire_in", "expires"),
        orAt: first("expires_at", "expires_on", "expiry", "access_token_expires_at"), options, usually: options.expiresDefault)
      refreshTokenExpiry = TokenExpiry(
        first("refresh_token_expires_in", "refresh_expires_in"), orAt: first("refresh_token_expires_at", "refresh_expires_at"), options,
        usually: nil)
      issuedTokenType = response["issued_token_type"]?.string
      scopes = first("scope", "scopes")?.scopes
      attributes = response.attributes
    }

    private static func refreshToken(_ response: AuthorizationServerResponse) -> Secret? {
      response["refresh_token"]?.string.map(Secret.init)
    }
  }
}
