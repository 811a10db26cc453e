import Jansson

/// Where an OAuth 1.0a provider's steps are and how it wants them signed (RFC 5849, 2 and 3).
package struct OAuth1Manner: Sendable {
  package enum SignaturePlacement: String, FieldWord { case header, query, body }

  package enum BodyHash: String, FieldWord {
    case none
    /// SHA-1 whatever signs, as the extension's draft has it.
    case sha1
    /// By the digest of the signature method.
    case method
  }

  package var requestTokenEndpoint: String?
  package var accessTokenEndpoint: String?
  package var signatureMethod: SignatureMethod?
  package var privateKey: Secret?
  package var signaturePlacement = SignaturePlacement.header
  package var bodyHash = BodyHash.none
  package var realm: String?
  package var tokenRequestMethod = TokenManner.Method.post
  package var requestTokenParameters = NamedValues<String>()
  package var accessTokenParameters = NamedValues<String>()

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    requestTokenEndpoint = try fields.optional("requestTokenEndpoint", "OAuth 1.0a: temporary credentials (RFC 5849, 2.1).")
    accessTokenEndpoint = try fields.optional("accessTokenEndpoint", "OAuth 1.0a: token credentials (RFC 5849, 2.3).")
    signatureMethod = try fields.optional("signatureMethod", "OAuth 1.0a: how requests are signed (RFC 5849, 3.4).")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the RSA key in PEM.")
    signaturePlacement =
      try fields.optional(
        "signaturePlacement", "OAuth 1.0a: where the protocol's parameters go (RFC 5849, 3.5); into the header where nothing is said.")
      ?? .header
    bodyHash =
      try fields.optional("bodyHash", "OAuth 1.0a: whether bodies that are no forms are hashed, and by what; none where nothing is said.")
      ?? .none
    realm = try fields.optional("realm", "OAuth 1.0a: the realm in the header (RFC 5849, 3.5.1).")
    tokenRequestMethod =
      try fields.optional("tokenRequestMethod", "OAuth 1.0a: the method of both token requests; POST where nothing is said.") ?? .post
    requestTokenParameters =
      try fields.optional("requestTokenParameters", "OAuth 1.0a: extra parameters when temporary credentials are asked for.") ?? .init()
    accessTokenParameters =
      try fields.optional("accessTokenParameters", "OAuth 1.0a: extra parameters when token credentials are asked for.") ?? .init()
    if !fields.isDescribing {
      try fields.check(endpoint: requestTokenEndpoint, "requestTokenEndpoint")
      try fields.check(endpoint: accessTokenEndpoint, "accessTokenEndpoint")
    }
  }
}
