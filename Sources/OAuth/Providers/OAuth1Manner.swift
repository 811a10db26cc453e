import Jansson

/// Where an OAuth 1.0a provider's steps are and how it wants them signed (RFC 5849, 2 and 3).
package struct OAuth1Manner: Sendable {
  /// Which step says what scopes are asked for; the standard has none of either.
  package enum ScopeStep: String, FieldWord {
    /// The request for temporary credentials, signed (Google, LinkedIn).
    case requestToken
    /// The authorization page's URL (Trello, Flickr).
    case authorization
    /// Both, as GTMOAuth does.
    case both
  }

  package var requestTokenEndpoint: String?
  package var accessTokenEndpoint: String?
  package var signatureMethod: SignatureMethod?
  package var privateKey: Secret?
  package var signaturePlacement = OAuth1Client.Placement.header
  package var bodyHash = OAuth1Client.BodyHash.none
  package var realm: String?
  package var tokenRequestMethod = TokenManner.Method.post
  package var requestTokenParameters = NamedValues<String>()
  package var accessTokenParameters = NamedValues<String>()
  package var scopeStep = ScopeStep.requestToken

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    requestTokenEndpoint = try fields.optional("requestTokenEndpoint", "OAuth 1.0a: temporary credentials (RFC 5849, 2.1).")
    accessTokenEndpoint = try fields.optional("accessTokenEndpoint", "OAuth 1.0a: token credentials (RFC 5849, 2.3).")
    signatureMethod = try fields.optional("signatureMethod", "OAuth 1.0a: how requests are signed (RFC 5849, 3.4).")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the RSA key in PEM.")
    signaturePlacement =
      try fields.optional(
        "signaturePlacement", "OAuth 1.0a: where the protocol's parameters go (RFC 5849, 3.5); into the header by default.")
      ?? .header
    bodyHash =
      try fields.optional("bodyHash", "OAuth 1.0a: whether bodies that are no forms are hashed, and by what; none by default.")
      ?? .none
    realm = try fields.optional("realm", "OAuth 1.0a: the realm in the header (RFC 5849, 3.5.1).")
    tokenRequestMethod =
      try fields.optional("tokenRequestMethod", "OAuth 1.0a: the method of both token requests; POST by default.") ?? .post
    requestTokenParameters =
      try fields.optional("requestTokenParameters", "OAuth 1.0a: extra parameters when temporary credentials are asked for.") ?? .init()
    accessTokenParameters =
      try fields.optional("accessTokenParameters", "OAuth 1.0a: extra parameters when token credentials are asked for.") ?? .init()
    scopeStep =
      try fields.optional(
        "scopeStep", "OAuth 1.0a: which step names the scopes, under scopeParameter: requestToken by default.")
      ?? .requestToken
    if !fields.isDescribing {
      try fields.check(endpoint: requestTokenEndpoint, "requestTokenEndpoint")
      try fields.check(endpoint: accessTokenEndpoint, "accessTokenEndpoint")
      try check(fields)
    }
  }

  /// What the protocol sets itself would stand twice, and no server takes a request like that (RFC 5849, 3.1).
  private func check(_ fields: Fields) throws(FieldError) {
    for (member, parameters) in [("requestTokenParameters", requestTokenParameters), ("accessTokenParameters", accessTokenParameters)] {
      for (name, _) in parameters.pairs where Self.own.contains(name) {
        throw FieldError(Fields.pointer(to: name, in: fields.pointer(member)), "is a parameter that the protocol sets itself")
      }
    }
    if let realm, !realm.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      throw FieldError(fields.pointer("realm"), "must not contain control characters")
    }
  }

  private static let own: Set<String> = [
    "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp", "oauth_nonce", "oauth_version",
    "oauth_callback", "oauth_verifier", "oauth_body_hash", "oauth_session_handle",
  ]
}
