import Jansson

/// How tokens are taken back (RFC 7009), or in the provider's own way.
package struct RevocationManner: Sendable {
  package enum Style: String, FieldWord {
    /// A form with the token and a hint (RFC 7009).
    case rfc7009
    /// GET with the token in the query.
    case get
    /// POST with the token in the query and the client's authentication.
    case query
    /// POST with the token as JSON and the client's Basic credentials.
    case json
    /// POST without a body, the token as Bearer.
    case bearer
    /// DELETE with the token as JSON and the client's Basic credentials (GitHub).
    case deleteWithBasic
    /// DELETE without a body, the token as Bearer.
    case delete
    /// OAuth 1.0a: a POST signed with the token.
    case signed
    case none
  }

  /// Which of a grant's tokens are told.
  package enum Tokens: String, FieldWord { case both, access, refresh }

  package var revocationEndpoint: String?
  package var revocationStyle: Style?
  package var revocationToken: Tokens?
  /// nil where the style has a name of its own for it.
  package var revocationTokenParameter: String?

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    revocationEndpoint = try fields.optional(
      "revocationEndpoint",
      "Where tokens are taken back (RFC 7009); may contain {clientId}, and with get or query {accessToken}, which then stands nowhere else."
    )
    revocationStyle = try fields.optional(
      "revocationStyle", "How a token is taken back; rfc7009 where there is an endpoint and nothing is said.")
    revocationToken = try fields.optional(
      "revocationToken", "Which tokens are told: both by default, the refresh token first; access alone; or refresh alone.")
    revocationTokenParameter = try fields.optional(
      "revocationTokenParameter",
      "The parameter or JSON member that carries the token; token by default, with deleteWithBasic access_token.")
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: revocationEndpoint, "revocationEndpoint")
    if revocationTokenParameter?.isEmpty == true { throw FieldError(fields.pointer("revocationTokenParameter"), "must not be empty") }
    guard namesAccessToken, let endpoint = revocationEndpoint else { return }
    let place = fields.pointer("revocationEndpoint")
    guard [.get, .query].contains(revocationStyle) else {
      throw FieldError(place, "has {accessToken}, which goes with get and query alone")
    }
    // A token in a host's name would be told to whoever resolves it.
    guard let token = endpoint.firstRange(of: "{accessToken}"), let scheme = endpoint.firstRange(of: "://"),
      scheme.upperBound <= token.lowerBound, endpoint[scheme.upperBound..<token.lowerBound].contains("/")
    else { throw FieldError(place, "has {accessToken} before its path") }
  }

  /// Whether the token stands in the endpoint itself (Stack Exchange).
  private var namesAccessToken: Bool { revocationEndpoint?.contains("{accessToken}") == true }

  /// Whether a token with this hint (RFC 7009, 2.1) is told. Where the token itself is the credential, or is named as access token, it is that one alone.
  func tells(_ hint: String) -> Bool {
    let isAccess = hint == "access_token"
    if namesAccessToken { return isAccess }
    switch revocationStyle ?? .rfc7009 {
    case .bearer, .delete, .deleteWithBasic, .signed: return isAccess
    case .rfc7009, .get, .query, .json, .none: return revocationToken ?? .both == .both || (revocationToken == .access) == isAccess
    }
  }
}
