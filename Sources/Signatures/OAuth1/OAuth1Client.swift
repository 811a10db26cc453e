import Crypto
import CryptoExtras
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
    (self.consumerKey, self.consumerSecret, self.signatureMethod) = (consumerKey, consumerSecret, signatureMethod)
    (self.privateKey, self.placement, self.realm) = (privateKey, placement, realm)
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

/// A token and its secret: temporary credentials during the sign-in (RFC 5849 §2.1), token credentials afterwards (§2.3).
package struct OAuth1Token: Sendable, Equatable {
  package var token: Secret
  /// May be empty.
  package var secret: Secret

  package init(token: Secret, secret: Secret) { (self.token, self.secret) = (token, secret) }
}

extension SignatureMethod {
  /// Returns `oauth_signature` before encoding: base64 with padding, or the key itself with PLAINTEXT (§3.4.4).
  ///
  /// Throws `configurationInvalid` for an RSA method without a private key.
  func signature(of baseString: @autoclosure () -> [UInt8], _ client: OAuth1Client, tokenSecret: Secret?) throws(OAuthFailure) -> String {
    switch self {
    case .hmacSHA1: Self.hmac(Insecure.SHA1.self, baseString(), client.sharedKey(tokenSecret))
    case .hmacSHA256: Self.hmac(SHA256.self, baseString(), client.sharedKey(tokenSecret))
    case .hmacSHA512: Self.hmac(SHA512.self, baseString(), client.sharedKey(tokenSecret))
    case .rsaSHA1: Base64.encode(try client.rsaKey().signature(Insecure.SHA1.hash(data: baseString())))
    case .rsaSHA256: Base64.encode(try client.rsaKey().signature(SHA256.hash(data: baseString())))
    case .rsaSHA512: Base64.encode(try client.rsaKey().signature(SHA512.hash(data: baseString())))
    case .plaintext: client.sharedKey(tokenSecret)
    }
  }

  private static func hmac<Hash: HashFunction>(_ hash: Hash.Type, _ bytes: [UInt8], _ key: String) -> String {
    Base64.encode(Array(HMAC<Hash>.authenticationCode(for: bytes, using: SymmetricKey(data: Array(key.utf8)))))
  }
}
