import Jansson

/// How the requests to the token endpoint deviate (RFC 6749, 4.1.3 and 6).
package struct TokenManner: Sendable {
  /// How the client shows who it is (RFC 6749, 2.3.1), never two ways at once.
  package enum ClientAuthentication: String, FieldWord {
    case basic, body, none
    /// Basic for clients without a secret as well, with an empty password (Reddit).
    case basicAlways
    /// Basic, and once more in the body where that is answered with `invalid_client`; what worked is kept with the grant.
    case probe
  }

  package enum BodyFormat: String, FieldWord { case form, json, query }
  package enum Method: String, FieldWord { case post = "POST", get = "GET" }

  /// What is exchanged for a new access token.
  package enum RefreshStyle: String, FieldWord {
    case refreshToken
    /// The access token itself, while it lives (Facebook, Instagram).
    case accessToken
  }

  package enum RefreshTokenUse: String, FieldWord {
    case repeated
    /// One that was used is dead, whether or not the answer brings another.
    case once
  }

  package var clientAuthentication: ClientAuthentication?
  package var bodyFormat = BodyFormat.form
  package var tokenMethod = Method.post
  package var requestSignature: RequestSignature?
  package var tokenHeaders = NamedValues<String>()
  package var tokenParameters = NamedValues<String>()
  package var refreshEndpoint: String?
  package var refreshMethod: Method?
  package var refreshAuthentication: ClientAuthentication?
  package var refreshStyle = RefreshStyle.refreshToken
  package var refreshGrantType = "refresh_token"
  /// nil where nothing is sent that would be exchanged, which the description writes as `none`.
  package var refreshTokenParameter: String? = "refresh_token"
  package var refreshParameters = NamedValues<String>()
  package var refreshTokenUse = RefreshTokenUse.repeated
  /// Seconds.
  package var renewWithin = 0
  package var sendsRedirectUriWithCode = true
  package var sendsRedirectUriOnRefresh = false
  package var sendsScopesOnRefresh = false

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    clientAuthentication = try fields.optional(
      "clientAuthentication",
      "How a client with a secret shows it: by Basic, in the body, or not at all; basicAlways: by Basic even without a secret; "
        + "probe: by Basic, and after invalid_client once in the body. Never both at once.")
    bodyFormat =
      try fields.optional(
        "bodyFormat",
        "How the parameters of token and refresh requests are sent: as a form by default, as JSON, or in the query.")
      ?? .form
    tokenMethod = try fields.optional("tokenMethod", "The method of token requests; POST by default.") ?? .post
    requestSignature = try fields.optional(
      "requestSignature",
      "The headers of token and refresh requests that are signed with the client's secret, which takes the place of clientAuthentication.")
    tokenHeaders = try fields.optional("tokenHeaders", "Extra headers of token, refresh and revocation requests.") ?? .init()
    tokenParameters = try fields.optional("tokenParameters", "Extra parameters when a code or a device code is exchanged.") ?? .init()
    refreshEndpoint = try fields.optional("refreshEndpoint", "Where tokens are refreshed, if not at the token endpoint.")
    refreshMethod = try fields.optional("refreshMethod", "The method of refresh requests; that of token requests by default.")
    refreshAuthentication = try fields.optional(
      "refreshAuthentication", "How the client shows itself when a token is refreshed, if not as clientAuthentication says.")
    refreshStyle =
      try fields.optional(
        "refreshStyle", "What is exchanged: the refresh token by default, or the access token itself while it lives.")
      ?? .refreshToken
    refreshGrantType =
      try fields.optional("refreshGrantType", "The grant_type of refresh requests; refresh_token by default.") ?? "refresh_token"
    let parameter: String? = try fields.optional(
      "refreshTokenParameter",
      "The parameter that carries what is exchanged; refresh_token by default; none: nothing is, the client's signature will do."
    )
    refreshTokenParameter = parameter == "none" ? nil : parameter ?? "refresh_token"
    refreshParameters = try fields.optional("refreshParameters", "Extra parameters when a token is refreshed.") ?? .init()
    refreshTokenUse =
      try fields.optional(
        "refreshTokenUse", "Whether a refresh token is good repeatedly, the default, or once, so that a used one is not kept.")
      ?? .repeated
    renewWithin =
      try fields.optional(
        "renewWithin", in: 0...31_536_000,
        "Seconds before an access token's end in which it is renewed ahead, where only one that lives can be; never before half its life, "
          + "and 0, just before the end, by default.") ?? 0
    sendsRedirectUriWithCode =
      try fields.optional(
        "sendsRedirectUriWithCode", "Whether the redirect URI is repeated when a code is exchanged; true by default.") ?? true
    sendsRedirectUriOnRefresh =
      try fields.optional("sendsRedirectUriOnRefresh", "Whether a refresh repeats the redirect URI.") ?? false
    sendsScopesOnRefresh = try fields.optional("sendsScopesOnRefresh", "Whether a refresh names the granted scopes.") ?? false
    if !fields.isDescribing { try check(fields) }
  }

  private func check(_ fields: Fields) throws(FieldError) {
    try fields.check(endpoint: refreshEndpoint, "refreshEndpoint")
    try fields.check(headers: tokenHeaders, "tokenHeaders")
    if refreshTokenParameter?.isEmpty == true { throw FieldError(fields.pointer("refreshTokenParameter"), "must not be empty") }
    guard requestSignature != nil else {
      guard refreshTokenParameter != nil else {
        throw FieldError(fields.pointer("refreshTokenParameter"), "cannot be none, since nothing else says whose token is renewed")
      }
      return
    }
    // What stands in the query is not signed, and would be anybody's to change.
    guard bodyFormat != .query, tokenMethod == .post, refreshMethod != .get else {
      throw FieldError(fields.pointer("requestSignature"), "signs the body, so the parameters have to be there")
    }
  }
}
