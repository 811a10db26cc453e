import Jansson

/// A consumer's credentials (RFC 5849 §1.1 calls them the client's), and how its service wants requests to be signed.
package struct OAuth1Client: Sendable {
  /// Where a request carries the protocol's parameters (RFC 5849 §3.5).
  package enum Placement: String, StringEnum, Sendable {
    package static let schemaName: String? = "SignaturePlacement"

    case header, query, body

    package var documentation: String {
      switch self {
      case .header: "The `Authorization` header."
      case .query: "The query of the URL."
      case .body: "The form in the body."
      }
    }
  }

  /// How the signature covers a body that is not a form (OAuth Request Body Hash 1.0, draft 4).
  package enum BodyHash: String, StringEnum, Sendable {
    case none, sha1, method

    package var documentation: String {
      switch self {
      case .none: "The signature does not cover the body."
      case .sha1: "SHA-1 with every signature method."
      case .method: "The digest of the signature method."
      }
    }
  }

  package var consumerKey: String
  package var consumerSecret: Secret
  package var signatureMethod: SignatureMethod
  /// Only for the RSA methods.
  package var privateKey: RSAPrivateKey?
  package var placement: Placement
  package var bodyHash: BodyHash
  /// Sent in the header and never signed (§3.4.1.3.1).
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
