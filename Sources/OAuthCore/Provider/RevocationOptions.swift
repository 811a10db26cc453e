import Jansson

/// How tokens are revoked: by RFC 7009 or in the provider's own way.
package struct RevocationOptions: Sendable {
  /// The request that revokes a token.
  package enum Style: String, DescribedEnum {
    package static let schemaName: String? = "RevocationStyle"

    case rfc7009, get, query, json, bearer, deleteWithBasic, delete, signed, none
  }

  /// Which of a grant's tokens are sent for revocation.
  package enum Tokens: String, DescribedEnum {
    package static let schemaName: String? = "RevocationTokens"

    case both, access, refresh
  }

  package var revocationEndpoint: String?
  package var revocationStyle: Style?
  package var revocationToken = Tokens.both
  /// nil for the style's default name.
  package var revocationTokenParameter: String?
  package var revocationParameters = NamedValues<String>()

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    revocationEndpoint = try fields.endpoint(
      "revocationEndpoint",
      "The URL that revokes tokens (RFC 7009). It may contain {clientId}. With the styles `get` and `query`, its path or "
        + "query may contain {accessToken}.")
    revocationStyle = try fields.optional("revocationStyle", "The form of a revocation request. Without it, an endpoint uses `rfc7009`.")
    revocationToken = try fields.optional("revocationToken", default: .both, "The tokens that the process sends for revocation.")
    revocationTokenParameter = try fields.optional(
      "revocationTokenParameter",
      "The parameter or JSON member with the token. Without it, the name is `token`, or `access_token` with the style "
        + "`deleteWithBasic`.")
    revocationParameters = try fields.optional(
      "revocationParameters", default: .init(),
      "Extra parameters of revocation requests with the style `rfc7009`. They may contain {accessToken}, the token to revoke.")
    if revocationTokenParameter?.isEmpty == true { throw FieldError(fields.pointer("revocationTokenParameter"), "must not be empty") }
    guard namesAccessToken, let endpoint = revocationEndpoint else { return }
    let place = fields.pointer("revocationEndpoint")
    guard [.get, .query].contains(revocationStyle) else {
      throw FieldError(place, "contains {accessToken}, which only get and query allow")
    }
    // A token in the host name would be visible in DNS queries.
    guard let token = endpoint.firstRange(of: "{accessToken}"), let scheme = endpoint.firstRange(of: "://"),
      scheme.upperBound <= token.lowerBound, endpoint[scheme.upperBound..<token.lowerBound].contains("/")
    else { throw FieldError(place, "has {accessToken} before its path") }
  }

  /// Whether the endpoint contains the token (Stack Exchange).
  private var namesAccessToken: Bool { revocationEndpoint?.contains("{accessToken}") == true }

  /// Returns whether a token with this hint (RFC 7009, 2.1) is sent. Only the access token is sent if it authenticates the request or is in the
  /// endpoint.
  package func includes(_ hint: String) -> Bool {
    let isAccess = hint == "access_token"
    if namesAccessToken { return isAccess }
    switch revocationStyle ?? .rfc7009 {
    case .bearer, .delete, .deleteWithBasic, .signed: return isAccess
    case .rfc7009, .get, .query, .json, .none: return revocationToken == .both || (revocationToken == .access) == isAccess
    }
  }
}
