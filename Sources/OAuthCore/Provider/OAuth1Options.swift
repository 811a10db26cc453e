import Jansson

/// The endpoints of an OAuth 1.0a provider, and how it wants requests signed (RFC 5849, 2 and 3).
package struct OAuth1Options: Sendable {
  /// The step that sends the scopes; OAuth 1.0a itself has no scopes.
  package enum ScopeStep: String, DescribedEnum {
    case requestToken, authorization, both
  }

  /// Whether the response with temporary credentials must have `oauth_callback_confirmed=true`.
  package enum CallbackConfirmation: String, DescribedEnum {
    case required, optional
  }

  package var requestTokenEndpoint: String?
  package var accessTokenEndpoint: String?
  package var signatureMethod = SignatureMethod.hmacSHA1
  package var privateKey: Secret?
  package var signaturePlacement = SignaturePlacement.header
  package var realm: String?
  package var tokenRequestMethod = TokenOptions.Method.post
  package var requestTokenParameters = NamedValues<String>()
  package var scopeStep = ScopeStep.requestToken
  package var oauthCallbackConfirmed = CallbackConfirmation.required

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    requestTokenEndpoint = try fields.endpoint("requestTokenEndpoint", "OAuth 1.0a: the URL of temporary credentials (RFC 5849, 2.1).")
    accessTokenEndpoint = try fields.endpoint("accessTokenEndpoint", "OAuth 1.0a: the URL of token credentials (RFC 5849, 2.3).")
    signatureMethod = try fields.optional(
      "signatureMethod", default: .hmacSHA1, "OAuth 1.0a: the method that signs requests (RFC 5849, 3.4).")
    privateKey = try fields.optional("privateKey", "OAuth 1.0a: the client's RSA key in PEM.")
    signaturePlacement = try fields.optional(
      "signaturePlacement", default: .header, "OAuth 1.0a: the place of the protocol's parameters (RFC 5849, 3.5).")
    realm = try fields.optional("realm", "OAuth 1.0a: the realm in the `Authorization` header (RFC 5849, 3.5.1).")
    tokenRequestMethod = try fields.optional("tokenRequestMethod", default: .post, "OAuth 1.0a: the HTTP method of both token requests.")
    requestTokenParameters = try fields.optional(
      "requestTokenParameters", default: .init(), "OAuth 1.0a: extra parameters of the request for temporary credentials.")
    scopeStep = try fields.optional("scopeStep", default: .requestToken, "OAuth 1.0a: the step that sends the scopes, as `scopeParameter`.")
    oauthCallbackConfirmed = try fields.optional(
      "oauthCallbackConfirmed", default: .required,
      "OAuth 1.0a: whether the response with temporary credentials must confirm the callback (RFC 5849, 2.1).")
    for (name, _) in requestTokenParameters.pairs where Self.own.contains(name) {
      throw FieldError(
        ObjectReader.pointer(to: name, in: fields.pointer("requestTokenParameters")),
        "cannot be set: the process sets this parameter itself")
    }
    if let realm, !realm.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      throw FieldError(fields.pointer("realm"), "must not contain control characters")
    }
  }

  /// The protocol's own parameters. Servers reject repeated ones (RFC 5849, 3.1).
  private static let own: Set<String> = [
    "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp", "oauth_nonce", "oauth_version",
    "oauth_callback", "oauth_verifier", "oauth_body_hash", "oauth_session_handle",
  ]
}

/// A signature method by its name on the wire (RFC 5849 §3.4, plus HMAC and RSA with SHA-256 and SHA-512).
package enum SignatureMethod: String, StringEnum, Sendable {
  case hmacSHA1 = "HMAC-SHA1"
  case hmacSHA256 = "HMAC-SHA256"
  case hmacSHA512 = "HMAC-SHA512"
  case rsaSHA1 = "RSA-SHA1"
  case rsaSHA256 = "RSA-SHA256"
  case rsaSHA512 = "RSA-SHA512"
  case plaintext = "PLAINTEXT"

  /// Whether a private key signs; the consumer secret and the token secret are then unused (§3.4.3).
  package var usesPrivateKey: Bool {
    switch self {
    case .rsaSHA1, .rsaSHA256, .rsaSHA512: true
    case .hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext: false
    }
  }
}

/// Where a request carries the protocol's parameters (RFC 5849 §3.5).
package enum SignaturePlacement: String, DescribedEnum, Sendable {
  case header, query, body
}

/// Authenticates the client by a signature of the token request. The members are the names of the headers.
///
/// The signature is the HMAC-SHA256 (RFC 2104) of the body followed by the timestamp, in lower-case hexadecimal. The key is the client's secret,
/// which is not sent itself.
package struct RequestSignature: FieldObject {
  package var signature: String
  package var timestamp: String
  package var clientId: String

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    signature = try fields.required("signature", "The header with the HMAC-SHA256 of body and timestamp, in hexadecimal.")
    timestamp = try fields.required("timestamp", "The header with the time of the request, in milliseconds since 1970.")
    clientId = try fields.required("clientId", "The header with the client's ID.")
    if fields.isDescribing { return }
    var seen: Set<String> = []
    for (member, name) in [("signature", signature), ("timestamp", timestamp), ("clientId", clientId)] {
      try fields.check(headers: NamedValues([(name, "")]), member)
      guard seen.insert(name.lowercased()).inserted else {
        throw FieldError(fields.pointer(member), "is already the name of another header")
      }
    }
  }
}

/// A signature algorithm of ID tokens without a public key (RFC 7518, 3.2): the client's secret both signs and verifies.
package enum IDTokenAlgorithm: String, StringEnum { case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512" }
