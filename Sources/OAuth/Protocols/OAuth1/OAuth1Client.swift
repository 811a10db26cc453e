import Jansson

/// Who signs and how: a consumer's credentials (RFC 5849 §1.1 calls them the client's) and the manners that its service wants.
package struct OAuth1Client: Sendable {
  /// Where a request carries the protocol's parameters (RFC 5849 §3.5).
  package enum Placement: String, FieldWord, Sendable {
    /// The `Authorization` header (§3.5.1): what servers are expected to support.
    case header
    /// The URL's query (§3.5.3), which ends up in logs on its way.
    case query
    /// The form in the body (§3.5.2); a request that has no place for one is signed in the header.
    case body
  }

  /// How a body that is no form is covered by the signature (OAuth Request Body Hash 1.0, draft 4).
  package enum BodyHash: String, FieldWord, Sendable {
    /// Not at all, as RFC 5849 has it.
    case none
    /// By SHA-1 whatever the signature method, as oauthlib does.
    case sha1
    /// By the signature method's own digest, as the draft wants it (§3.2).
    case method
  }

  package var consumerKey: String
  package var consumerSecret: Secret
  package var signatureMethod: SignatureMethod
  /// Needed by the RSA methods alone.
  package var privateKey: RSAPrivateKey?
  package var placement: Placement
  package var bodyHash: BodyHash
  /// Stands in the header and is never signed (§3.4.1.3.1).
  package var realm: String?

  package init(
    consumerKey: String, consumerSecret: Secret = Secret(""), signatureMethod: SignatureMethod = .hmacSHA1,
    privateKey: RSAPrivateKey? = nil, placement: Placement = .header, bodyHash: BodyHash = .none, realm: String? = nil
  ) {
    self.consumerKey = consumerKey
    self.consumerSecret = consumerSecret
    self.signatureMethod = signatureMethod
    self.privateKey = privateKey
    self.placement = placement
    self.bodyHash = bodyHash
    self.realm = realm
  }

  /// The key for requests with this token's secret; an RSA method without a private key is `configurationInvalid`.
  func signatureKey(tokenSecret: Secret?) throws(OAuthFailure) -> SignatureKey {
    guard signatureMethod.usesPrivateKey else { return .shared(consumerSecret: consumerSecret, tokenSecret: tokenSecret) }
    guard let privateKey else {
      throw OAuthFailure(
        .configurationInvalid, "the signature method \(signatureMethod.rawValue) needs a private key",
        details: [.init("path", "/provider/privateKey")])
    }
    return .rsa(privateKey)
  }
}

/// A token and its secret: temporary credentials while somebody signs in (RFC 5849 §2.1), token credentials afterwards (§2.3).
package struct OAuth1Token: Sendable, Equatable {
  package var token: Secret
  /// May be empty.
  package var secret: Secret

  package init(token: Secret, secret: Secret) {
    self.token = token
    self.secret = secret
  }
}

/// One parameter, not encoded; the value may be a secret, so it never prints.
package struct OAuth1Parameter: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package var description: String { "\(name)=…" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
