import Jansson

/// How requests to the token endpoint deviate (RFC 6749, 4.1.3 and 6).
package struct TokenOptions: Sendable {
  /// How the client authenticates (RFC 6749, 2.3.1); one method per request.
  package enum ClientAuthentication: String, DescribedEnum {
    case basic, body, none
    case basicAlways, basicWithClientId, basicUnencoded, probe
    case privateKeyJwt, clientSecretJwt
    case tlsClientAuth, selfSignedTlsClientAuth

    /// Whether the client's certificate is all that authenticates it.
    package var needsCertificate: Bool { self == .tlsClientAuth || self == .selfSignedTlsClientAuth }
  }

  /// The format of the parameters in a token request.
  package enum BodyFormat: String, DescribedEnum {
    case form, json, query
  }
  package enum Method: String, StringEnum {
    package static let schemaName: String? = "HTTPMethod"

    case post = "POST", get = "GET"
  }

  /// Which token is exchanged for a new access token.
  package enum RefreshStyle: String, DescribedEnum {
    case refreshToken, accessToken
  }

  /// Whether a refresh token may be used again.
  package enum RefreshTokenUse: String, DescribedEnum {
    case repeated, once
  }

  package var clientAuthentication = ClientAuthentication.basic
  package var bodyFormat = BodyFormat.form
  package var tokenMethod = Method.post
  package var requestSignature: RequestSignature?
  package var dpop = false
  package var tokenHeaders = NamedValues<String>()
  package var tokenParameters = NamedValues<String>()
  package var clientGrantType = "client_credentials"
  package var refreshEndpoint: String?
  package var refreshMethod: Method?
  package var refreshAuthentication: ClientAuthentication?
  package var refreshStyle = RefreshStyle.refreshToken
  package var refreshGrantType = "refresh_token"
  /// nil if no token is sent; the description writes this as `none`.
  package var refreshTokenParameter: String? = "refresh_token"
  package var refreshParameters = NamedValues<String>()
  package var refreshTokenUse = RefreshTokenUse.repeated
  /// Seconds.
  package var renewWithin = 0
  package var sendsRedirectUriWithCode = true
  package var sendsRedirectUriOnRefresh = false
  package var sendsScopesOnRefresh = false

  package static let dpopText =
    "Whether the process binds the tokens to a key of its own, which each use of a token proves (DPoP, RFC 9449). It also does so if the server "
    + "demands it. A change counts at the next sign-in, and without a user at the next refresh. Only `false` in `authorize` or in an account ends "
    + "a binding."

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    clientAuthentication = try fields.optional(
      "clientAuthentication", default: .basic, "The authentication of a client with a secret or a key (RFC 6749, 2.3.1; RFC 7523, 2.2).")
    bodyFormat = try fields.optional("bodyFormat", default: .form, "The format of the parameters in token and refresh requests.")
    tokenMethod = try fields.optional("tokenMethod", default: .post, "The HTTP method of token requests.")
    requestSignature = try fields.optional(
      "requestSignature", "The headers that sign token and refresh requests with the client's secret. They replace `clientAuthentication`.")
    dpop = try fields.optional("dpop", default: false, Self.dpopText)
    tokenHeaders = try fields.optional("tokenHeaders", default: .init(), "Extra headers of token, refresh and revocation requests.")
    tokenParameters = try fields.optional(
      "tokenParameters", default: .init(), "Extra parameters of the request that exchanges a code or a device code.")
    clientGrantType = try fields.optional(
      "clientGrantType", default: "client_credentials", "The `grant_type` of a token for the client itself (RFC 6749, 4.4).")
    refreshEndpoint = try fields.endpoint("refreshEndpoint", "The URL that refreshes tokens. Without it, the token endpoint does.")
    refreshMethod = try fields.optional("refreshMethod", "The HTTP method of refresh requests. Without it, `tokenMethod` applies.")
    refreshAuthentication = try fields.optional(
      "refreshAuthentication", "The client's authentication in refresh requests. Without it, `clientAuthentication` applies.")
    refreshStyle = try fields.optional("refreshStyle", default: .refreshToken, "The token that a refresh exchanges.")
    refreshGrantType = try fields.optional("refreshGrantType", default: "refresh_token", "The `grant_type` of refresh requests.")
    let parameter = try fields.optional(
      "refreshTokenParameter", default: "refresh_token",
      "The parameter with the token that a refresh exchanges. With `none`, no parameter carries a token, and the client's "
        + "signature identifies the account.")
    refreshTokenParameter = parameter == "none" ? nil : parameter
    refreshParameters = try fields.optional("refreshParameters", default: .init(), "Extra parameters of refresh requests.")
    refreshTokenUse = try fields.optional(
      "refreshTokenUse", default: .repeated, "Whether the client may use a refresh token more than once.")
    renewWithin = try fields.optional(
      "renewWithin", in: 0...31_536_000, default: 0,
      "The process renews an access token within this many seconds before its end, if only a valid token can be renewed. It "
        + "never renews in the first half of the token's life. 0 means just before the end.")
    sendsRedirectUriWithCode = try fields.optional(
      "sendsRedirectUriWithCode", default: true, "Whether the exchange of a code repeats the redirect URI.")
    sendsRedirectUriOnRefresh = try fields.optional(
      "sendsRedirectUriOnRefresh", default: false, "Whether a refresh repeats the redirect URI.")
    sendsScopesOnRefresh = try fields.optional("sendsScopesOnRefresh", default: false, "Whether a refresh names the granted scopes.")
    try fields.check(headers: tokenHeaders, "tokenHeaders")
    if clientGrantType.isEmpty { throw FieldError(fields.pointer("clientGrantType"), "must not be empty") }
    if refreshTokenParameter?.isEmpty == true { throw FieldError(fields.pointer("refreshTokenParameter"), "must not be empty") }
    guard requestSignature != nil else {
      guard refreshTokenParameter != nil else {
        throw FieldError(fields.pointer("refreshTokenParameter"), "cannot be none, because the request would not name the account")
      }
      return
    }
    // The signature does not cover the query, so an attacker could change it.
    guard bodyFormat != .query, tokenMethod == .post, refreshMethod != .get else {
      throw FieldError(fields.pointer("requestSignature"), "signs the body, so the parameters must be in the body")
    }
  }
}
