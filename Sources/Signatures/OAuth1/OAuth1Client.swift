import OAuthCore

/// A consumer's credentials (RFC 5849 §1.1 calls them the client's), and how its service wants requests to be signed.
package struct OAuth1Client: Sendable {
  package var consumerKey: String
  package var consumerSecret: Secret
  package var signatureMethod: SignatureMethod
  /// Only for the RSA methods.
  package var privateKey: RSAPrivateKey?
  package var placement: SignaturePlacement
  /// Sent in the header and never signed (§3.4.1.3.1).
  package var realm: String?

  package init(
    consumerKey: String, consumerSecret: Secret = Secret(""), signatureMethod: SignatureMethod = .hmacSHA1,
    privateKey: RSAPrivateKey? = nil, placement: SignaturePlacement = .header, realm: String? = nil
  ) {
    self.consumerKey = consumerKey
    self.consumerSecret = consumerSecret
    self.signatureMethod = signatureMethod
    self.privateKey = privateKey
    self.placement = placement
    self.realm = realm
  }

  /// Returns both encoded secrets joined by `&`; a missing one is empty (RFC 5849 §3.4.2).
  func sharedKey(_ tokenSecret: Secret?) -> String {
    PercentEncoding.encode(consumerSecret.value) + "&" + PercentEncoding.encode(tokenSecret?.value ?? "")
  }

  /// Returns the private key for an RSA method. Throws `configurationInvalid` without one.
  func rsaKey() throws(OAuthFailure) -> RSAPrivateKey {
    if let privateKey { return privateKey }
    throw .misconfigured("/provider/privateKey", "the signature method \(signatureMethod.rawValue) needs a private key")
  }
}
